import { call } from '#kit/contract/call.ts'
import { choice, file, flag, idOf, lines, moment, money, ref, text } from '#kit/contract/field.ts'
import { listOfRows, reasonField, shape } from '#kit/contract/shape.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { laneCommandState } from '#modules/parking-lanes/contract/choices.ts'
import { passWay, reportPassage } from '#modules/parking-lanes/contract/passage.ts'
import { menu } from '../module.ts'

const { permissions } = menu.booth

const eventFields = {
  eventId: idOf('判断', { required: true, wire: 'EventID' }),
  eventTime: moment('时间', { required: true }),
  way: choice('进出', passWay, { required: true, wire: 'Way' }),
  plateNo: text('车牌', { required: true }),
  carKind: choice('车类', carKind, { required: true }),
  isOpen: flag('放行', { required: true, wire: 'Open' }),
  reason: text('原因', { required: true, wire: 'Reason' }),
  warning: text('提醒', { wire: 'Warning' }),
  due: money('待收', { required: true, wire: 'Due' }),
  /** By now, though the lane did not open when it saw the car. */
  hasLeft: flag('已离场', { required: true, wire: 'HasLeft' }),
  stayId: idOf('出入记录', { wire: ['StayID', 'PassID'] }),
  inTime: moment('入场时间'),
  inPhoto: file('入场图', { wire: 'InPhoto' }),
  outPhoto: file('出场图', { wire: 'OutPhoto' }),
} as const

/** The lanes of a booth with what they decided last, the newest first; whether a car waits there. */
export const listLaneViews = call({
  route: 'GET ParkingBooth/GetLanes',
  title: '车道实况',
  needs: permissions.view,
  input: shape({
    parkId: idOf('停车场', { required: true, min: 1, wire: ['ParkID', 'ParkId'] }),
    boothName: text('岗亭', { max: 40 }),
  }),
  output: listOfRows(
    {
      laneId: idOf('车道', { required: true, wire: ['GateID', 'GateId'] }),
      laneName: text('车道', { required: true, wire: 'GateName' }),
      projectCode: text('项目', { required: true }),
      direction: choice('方向', passageDirection, { required: true }),
      isWaiting: flag('有车等候', { required: true, wire: 'Waiting' }),
      events: lines('最近通行', eventFields, { required: true, wire: 'Events' }),
      commandId: idOf('开闸指令', { wire: 'CommandID' }),
      commandState: choice('执行状态', laneCommandState, { wire: 'CommandState' }),
      commandTime: moment('开闸时间', { wire: 'CommandTime' }),
      commandResult: text('结果', { wire: 'CommandResult' }),
    },
    { entity: 'parkingStay' },
  ),
})

/** The barrier is asked to open, whatever the lane decided; the reason is kept (PRK-10). */
export const openLane = call({
  route: 'POST ParkingBooth/PostOpen',
  title: '远程开闸',
  needs: permissions.open,
  affects: ['parkingStay', 'shiftEvent'],
  input: shape({
    laneId: ref('车道', 'parkLane', { required: true, wire: ['GateID', 'GateId'] }),
    plateNo: text('车牌', { max: 12, wire: 'PlateNo' }),
    reason: reasonField,
  }),
  output: shape({ commandId: idOf('开闸指令', { required: true, wire: 'CommandID' }) }),
})

/** A car that the booth sees: decided as at the lane, whose barrier opens if it may pass. */
export const passLane = call({
  route: 'POST ParkingBooth/PostPassage',
  title: '岗亭登记通行',
  needs: reportPassage.needs,
  affects: ['parkingStay'],
  input: reportPassage.input,
  output: reportPassage.output,
})
