import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, idOf, int, moment, money, ref, text } from '#kit/contract/field.ts'
import { listOfRows, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { boothPermissions } from '#modules/parking-lanes/contract/booth-permissions.ts'
import { collectStayFee, parkingCharge } from '#modules/parking-lanes/contract/charge.ts'
import { parkingStay, plateInputField } from '#modules/parking-lanes/contract/stay.ts'
import { menu } from '../module.ts'

/** At the booth: by the person on duty in the car park, whose sheet it comes on (PRK-10). */
export const collectAtBooth = call({
  route: 'POST ParkingBooth/PostCollect',
  title: '岗亭收费',
  needs: collectStayFee.needs,
  affects: ['parkingStay', 'parkingCharge', 'boothShift'],
  input: collectStayFee.input,
  output: collectStayFee.output,
})

export const boothPayMethod = choiceTable('ParkBoothPayMethod', '支付方式', {
  cash: [10, '现金'],
  wechat: [20, '微信'],
  alipay: [30, '支付宝'],
  card: [40, '刷卡'],
})

/** PRK-10: less than what is due, with the reason; on the sheet of the person on duty. */
export const repriceAtBooth = call({
  route: 'POST ParkingBooth/PostReprice',
  title: '岗亭改价收费',
  needs: boothPermissions.reprice,
  affects: ['parkingStay', 'parkingCharge', 'shiftEvent', 'boothShift'],
  input: shape(
    {
      id: recordIdField,
      laneId: ref('车道', 'parkLane', { wire: ['GateID', 'GateId'] }),
      due: money('待收', { required: true, min: 0, wire: 'Due' }),
      amount: money('改价后收取', { required: true, min: 0 }),
      payMethod: choice('支付方式', boothPayMethod, { required: true, initial: 'cash' }),
      reason: reasonField,
    },
    { entity: 'parkingStay' },
  ),
  output: recordOf(parkingCharge),
})

/** A car at an exit that nobody saw come in: out with the reason and, where wanted, an amount (PRK-10). */
export const releaseUnseen = call({
  route: 'POST ParkingBooth/PostReleaseUnseen',
  title: '无入场放行',
  needs: boothPermissions.release,
  affects: ['parkingStay', 'parkingCharge', 'shiftEvent', 'boothShift'],
  input: shape(
    {
      laneId: ref('车道', 'parkLane', { required: true, wire: ['GateID', 'GateId'] }),
      plateNo: plateInputField,
      amount: money('收取金额', { min: 0, max: 100_000_00, help: '不收费的不填' }),
      payMethod: choice('支付方式', boothPayMethod, { initial: 'cash' }),
      reason: reasonField,
    },
    { entity: 'parkingStay' },
  ),
  output: recordOf(parkingStay),
})

/** What persons took who are not on duty: on no sheet until they next hand over in that car park. */
export const listUnhanded = call({
  route: 'GET ParkingExchange/GetUnhanded',
  title: '未交班收费',
  needs: menu.shift.permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: listOfRows(
    {
      parkId: idOf('停车场', { required: true, wire: ['ParkID', 'ParkId'] }),
      parkName: text('停车场', { required: true }),
      cashier: idOf('收费员', { required: true, wire: 'Cashier' }),
      cashierName: text('收费员', { required: true }),
      count: int('笔数', { required: true }),
      cashAmount: money('现金', { required: true }),
      onlineAmount: money('非现金', { required: true }),
      since: moment('最早收费时间', { required: true, wire: 'SinceTime' }),
    },
    { entity: parkingCharge.name },
  ),
})
