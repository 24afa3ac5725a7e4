import { call } from '#kit/contract/call.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, choice, idOf, lines, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { boothPayMethod, chargeType, couponKind, parkPayMethod } from './choices.ts'
import { feeBlockFields } from './price-test.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const
const hidden = { hiddenIn: ['table', 'filter', 'sheet', 'detail'] } as const

/** What was collected for a stay. */
export const parkingCharge = entity(
  'parkingCharge',
  '停车收费记录',
  { table: 'parking_charge', tenancy: 'project', title: 'plateNo', order: ['-payTime'] },
  {
    projectCode: estateField(),
    stayId: idOf('出入记录', { required: true, wire: ['StayID', 'PassID'], ...hidden }),
    passNo: text('通行号', { derived: true, hiddenIn: ['filter', 'form'] }),
    parkId: ref('停车场', 'park', {
      required: true,
      wire: ['ParkID', 'ParkId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    parkName: lookup('停车场', 'parkId', 'name', { wire: 'ParkName' }),
    plateNo: text('车牌', { required: true, max: 8 }),
    chargeType: choice('类型', chargeType, { required: true }),
    inTime: moment('入场时间', { ...inDetail }),
    amount: money('应收', { required: true }),
    couponAmount: money('券抵扣', { required: true }),
    /** What the host of a visit pays with a bill (PRK-24). */
    hostAmount: money('被访人承担', {
      required: true,
      initial: 0,
      wire: 'HostAmount',
      hiddenIn: ['filter'],
    }),
    /** What the booth let off when it lowered the price (PRK-10). */
    waivedAmount: money('改价减免', {
      required: true,
      initial: 0,
      wire: 'WaivedAmount',
      hiddenIn: ['filter'],
    }),
    paidAmount: money('实收', { required: true }),
    payMethod: choice('支付方式', parkPayMethod, { required: true }),
    payTime: moment('缴费时间', { required: true }),
    explanation: text('计费说明', { max: 500, ...inDetail }),
    orderId: idOf('支付单', { wire: 'PayOrderID', ...hidden }),
    orderNo: text('支付单', { max: 40, wire: 'PayOrderNo', hiddenIn: ['filter'] }),
    /** In the books; nothing where the company has no item that it could be booked as. */
    recordId: idOf('收款记录', { wire: 'PayRecordID', ...hidden }),
    coupons: text('抵扣明细', { max: 500, wire: 'Coupons', hiddenIn: ['filter'] }),
    cashier: idOf('收费员', { wire: 'Cashier', ...hidden }),
    cashierName: text('收费员', { max: 40, hiddenIn: ['filter'] }),
  },
)

export type ParkingCharge = Row<typeof parkingCharge>

export const parkingCharges = crud(parkingCharge, {
  path: 'PropertyParkingCharge',
  permissions: menu.charge.permissions,
  operations: ['list', 'get'],
  list: { route: 'GET PropertyParkingCharge/GetList' },
  get: { route: 'GET PropertyParkingCharge/GetSingle' },
  filters: ['parkId', 'chargeType', 'payMethod', 'payTime', 'paidAmount'],
  search: {
    plateNo: text('车牌', { max: 8, wire: 'PlateNo' }),
    /** All of a car, by its plate. */
    carId: idOf('车辆', { min: 1, wire: 'CarID' }),
  },
  sums: ['amount', 'couponAmount', 'hostAmount', 'waivedAmount', 'paidAmount'],
})

export const { list: listCharges, get: getCharge } = parkingCharges

export const exportCharges = crudExport(parkingCharges, { needs: menu.charge.permissions.export })

/** Of a coupon of the plate: what it takes off, or why it is not used. */
export const couponLine = {
  couponNo: text('券号', { required: true, wire: 'CouponNo' }),
  kind: choice('类型', couponKind, { required: true }),
  discount: money('抵扣', { required: true }),
  reason: text('未使用原因', { wire: 'Reason' }),
  /** Not a coupon: what the host of the visit pays; its number says nothing to people. */
  isHostCover: flag('被访人承担', { required: true, wire: 'IsHostCover' }),
} as const

/** What a car that is inside has to pay at this moment, and why. */
export const getStayFee = call({
  route: 'GET ParkingOutinlog/GetFee',
  title: '当前停车费',
  needs: menu.stay.permissions.view,
  input: shape({ id: recordIdField }),
  output: shape(
    {
      ruleName: text('收费规则', { max: 40 }),
      shouldPay: money('应收', { required: true }),
      paid: money('已收', { required: true }),
      couponAmount: money('券抵扣', { required: true }),
      due: money('待收', { required: true, wire: 'Due' }),
      coupons: lines('停车券', couponLine, { required: true, wire: 'Coupons' }),
      leaveBefore: moment('最晚离场', { wire: 'LeaveBefore' }),
      sentence: text('说明', { required: true, max: 500, wire: 'Sentence' }),
      blocks: lines('分段', feeBlockFields, { required: true, wire: 'Blocks' }),
    },
    { entity: 'parkingStay' },
  ),
})

/** Collects what is due now; the amount on the screen must still be the amount due (PAY-1). */
export const collectStayFee = call({
  route: 'POST ParkingOutinlog/PostCollect',
  title: '收取停车费',
  needs: menu.charge.permissions.collect,
  affects: ['parkingStay', 'parkingCharge'],
  input: shape(
    {
      id: recordIdField,
      amount: money('金额', { required: true, min: 0, help: '停车券全额抵扣的为 0' }),
      payMethod: choice('支付方式', boothPayMethod, { required: true }),
    },
    { entity: 'parkingStay' },
  ),
  output: recordOf(parkingCharge),
})
