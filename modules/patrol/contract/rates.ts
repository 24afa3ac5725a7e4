import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, day, idOf, int, keyRef, lines, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

const { permissions } = menu.task

/** What rates are counted by. */
export const rateGroup = choiceTable('PatrolRateGroup', '统计方式', {
  day: [10, '按日期'],
  staff: [20, '按人员'],
  road: [30, '按路线'],
  point: [40, '按点位'],
})

const period = {
  projectCode: keyRef('项目', 'estate', { dataDomain: 'project', wire: 'ProjectCode' }),
  from: day('起', { required: true, wire: 'DateFrom' }),
  to: day('止', { required: true, wire: 'DateTo' }),
}

/** PAT-9; disabled tasks are in neither. */
export const rateFields = {
  due: int('应到', { required: true }),
  normal: int('正常', { required: true }),
  early: int('早到', { required: true }),
  late: int('迟到', { required: true }),
  disorder: int('乱序', { required: true }),
  missed: int('漏检', { required: true }),
  abnormal: int('异常', { required: true }),
  signedRate: text('到位率', { required: true, percent: true }),
  punctualRate: text('准时率', { required: true, percent: true }),
  missedRate: text('漏检率', { required: true, percent: true }),
}

export const getPatrolRates = call({
  route: 'GET PatrolStatistics/Get',
  title: '巡更到位统计',
  needs: permissions.view,
  input: shape({ ...period, by: choice('统计方式', rateGroup, { required: true, wire: 'GroupBy' }) }),
  output: shape({
    total: lines('合计', rateFields, { required: true, wire: 'TotalRow' }),
    rows: lines(
      '明细',
      {
        /** The person, road or point; a day is its own name. */
        id: idOf('编号', { wire: 'ID' }),
        name: text('名称', { required: true, wire: 'Name' }),
        ...rateFields,
      },
      { required: true, wire: 'Rows' },
    ),
  }),
})

/** The points of the period by day: where rounds are missed again and again. */
export const getMissedPoints = call({
  route: 'GET PatrolStatistics/GetMissed',
  title: '巡更漏检分布',
  needs: permissions.view,
  input: shape(period),
  output: listOfRows({
    pointId: idOf('点位', { required: true, wire: 'LocationID' }),
    pointName: text('点位', { required: true, wire: 'LocationName' }),
    due: int('应到', { required: true }),
    missed: int('漏检', { required: true }),
    days: lines(
      '每日',
      {
        day: day('日期', { required: true, wire: 'Day' }),
        due: int('应到', { required: true }),
        missed: int('漏检', { required: true }),
      },
      { required: true, wire: 'Days' },
    ),
  }),
})
