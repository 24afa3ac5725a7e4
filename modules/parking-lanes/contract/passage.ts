import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, flag, idOf, moment, money, ref, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { normalizePlate, plateRule } from '#modules/parking/contract/licence-plate.ts'
import { menu } from '../module.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'

export const passWay = choiceTable('ParkPassWay', '进出', { in: [20, '入场'], out: [10, '出场'] })

/** What unlicensed cars are called; it is not a plate. */
export const unlicensedPrefix = '无牌'

const typedPlateRule = {
  ...plateRule,
  test: (plate: string) =>
    plate.startsWith(unlicensedPrefix) ? undefined : plateRule.test(normalizePlate(plate)),
}

export const passedPlateField = text('车牌', {
  max: 12,
  rule: typedPlateRule,
  wire: 'PlateNo',
  help: '入场不填为无牌车，由系统编号',
})

/**
 * A car at a lane, seen by the booth or by the camera. The same key of the same lane is the same
 * passage, whenever and however often it is reported.
 */
export const reportPassage = call({
  route: 'POST ParkingOutinlog/PostPassage',
  title: '登记通行',
  needs: menu.stay.permissions.pass,
  affects: ['parkingStay'],
  input: shape({
    laneId: ref('车道', 'parkLane', { required: true, wire: ['GateID', 'GateId'] }),
    passKey: text('通行标识', { required: true, max: 80, wire: 'PassKey' }),
    way: choice('进出', passWay, { wire: 'Way', help: '出入口车道必选' }),
    plateNo: passedPlateField,
    passTime: moment('时间', { wire: 'PassTime', help: '不填为现在' }),
    hasPassed: flag('已通过', {
      wire: 'Passed',
      help: '车辆已经通过（断网期间放行、栏杆故障），只补记录',
    }),
  }),
  output: shape(
    {
      isOpen: flag('放行', { required: true, wire: 'Open' }),
      reason: text('原因', { required: true, max: 200, wire: 'Reason' }),
      warning: text('提醒', { max: 200, wire: 'Warning' }),
      plateNo: text('车牌', { required: true, max: 8 }),
      carKind: choice('车类', carKind, { required: true }),
      stayId: idOf('出入记录', { wire: ['StayID', 'PassID'] }),
      due: money('待收', { required: true, wire: 'Due' }),
    },
    { entity: 'parkingStay' },
  ),
})
