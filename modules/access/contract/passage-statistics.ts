import { call } from '#kit/contract/call.ts'
import { day, idOf, int, lines, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** So many days are counted at most: all records of them are read. */
export const maxStatisticsDays = 92

const counted = {
  opened: int('已开', { required: true }),
  refused: int('未开', { required: true }),
}

const countedBy = {
  key: text('编号', { required: true }),
  label: text('名称', { required: true }),
  ...counted,
}

/** What came through the doors in a time: the last seven days unless another is asked. */
export const getPassageStatistics = call({
  route: 'GET DeviceRecordofaccess/GetLogStatistics',
  title: '通行统计',
  needs: menu.passage.permissions.view,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    doorwayId: idOf('门', { min: 1, wire: ['DoorwayID', 'DoorwayId'] }),
    dayFrom: day('起', { wire: ['BeginDate', 'DayFrom'] }),
    dayTo: day('止', { wire: ['EndDate', 'DayTo'] }),
  }),
  output: shape(
    {
      dayFrom: day('起', { required: true, wire: ['BeginDate', 'DayFrom'] }),
      dayTo: day('止', { required: true, wire: ['EndDate', 'DayTo'] }),
      ...counted,
      strangers: int('陌生人', { required: true }),
      days: lines('每日', countedBy, { required: true }),
      hours: lines('各时段', countedBy, { required: true }),
      methods: lines('开门方式', countedBy, { required: true }),
      kinds: lines('人员类型', countedBy, { required: true }),
      doorways: lines('门', countedBy, { required: true }),
      reasons: lines('未开原因', countedBy, { required: true }),
    },
    { entity: 'passage' },
  ),
})
