import { call } from '#kit/contract/call.ts'
import { choice, day, decimal, flag, idOf, int, lines, list, moment, text } from '#kit/contract/field.ts'
import { byId, listOfRows, shape } from '#kit/contract/shape.ts'
import { stepResult, taskState } from '#modules/planned-work/contract/choices.ts'
import {
  checkItemFields,
  itemResultFields,
  signAnswerFields,
  signFields,
} from '#modules/planned-work/contract/task.ts'
import { menu } from '../module.ts'

const { walk } = menu.task.permissions

/** A point of a round as the phone needs it, also where there is no network. */
const roundPointFields = {
  stepId: idOf('任务项', { required: true, wire: 'StepID' }),
  sort: int('顺序', { required: true }),
  name: text('点位', { required: true, wire: 'LocationName' }),
  dueTime: moment('应到', { required: true }),
  tolerance: int('允许误差'),
  signKinds: list('签到方式', { required: true }),
  needsPhoto: flag('需拍照', { required: true }),
  items: lines('检查项', checkItemFields, { required: true }),
  /** SHA-256 of what label and tag say: the phone tells the point without knowing its code. */
  codeHashes: list('签到码摘要', { required: true }),
  bleNo: text('蓝牙编号'),
  longitude: decimal('经度', { scale: 6 }),
  latitude: decimal('纬度', { scale: 6 }),
  radius: int('签到半径', { unit: '米' }),
  result: choice('到位结果', stepResult),
  signTime: moment('实到'),
  isAbnormal: flag('异常', { required: true }),
  itemResults: lines('检查项结果', itemResultFields),
}

export const roundFields = {
  id: idOf('任务', { required: true, wire: 'ID' }),
  planName: text('计划', { required: true }),
  taskDate: day('日期', { required: true }),
  beginTime: moment('开始', { required: true }),
  endTime: moment('结束', { required: true }),
  closeTime: moment('签到截止', { required: true }),
  inOrder: flag('按序', { required: true }),
  state: choice('状态', taskState, { required: true }),
  points: lines('点位', roundPointFields, { required: true, wire: 'Points' }),
}

/** The rounds that the asker walks today, or may take; those of the night before until they are closed. */
export const listOwnRounds = call({
  route: 'GET PatrolPlanDetails/GetMine',
  title: '我的巡更',
  needs: walk,
  input: shape({}),
  output: listOfRows(roundFields, { entity: 'workTask' }),
})

/** What was signed on the way, in its order; each has a number, so that sending again is harmless. */
export const sendPatrolSigns = call({
  route: 'POST PatrolRecord/post',
  title: '巡更签到',
  needs: walk,
  affects: ['workTask', 'workStep', 'workSign'],
  input: shape({
    sentTime: moment('发送时间', { required: true, help: '设备时钟，用于计算时钟偏差' }),
    signs: lines('签到', signFields, { required: true, min: 1, max: 200, wire: 'Signs' }),
  }),
  output: listOfRows(signAnswerFields),
})

/** The person walks no further: what is not signed is missed, until it is signed before the round closes. */
export const finishOwnRound = call({
  route: 'POST PatrolPlanDetails/PostFinish',
  title: '结束巡更',
  needs: walk,
  affects: ['workTask', 'workStep'],
  input: byId,
  output: shape({
    state: choice('状态', taskState, { required: true }),
    missCount: int('漏检', { required: true }),
  }),
})
