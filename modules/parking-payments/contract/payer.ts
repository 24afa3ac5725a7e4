import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, flag, int, lines, moment, money, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { typedPlateRule } from '#modules/parking/contract/licence-plate.ts'
import { couponLine } from '#modules/parking-lanes/contract/charge.ts'
import { orderState } from '#modules/payments/contract/choices.ts'

const basePath = 'parking/v1/Payer'

/** What the printed code says: of a car park, or of one of its lanes. */
export const codeField = text('凭证', { required: true, max: 200, wire: ['Token', 't'] })

/** What a telephone keeps of a car without a plate. */
export const carKeyField = text('车辆凭证', { max: 200, wire: 'CarKey' })

const plateNo = text('车牌', { max: 12, rule: typedPlateRule, wire: 'PlateNo' })

export const openPayerPage = call({
  route: `GET ${basePath}/Open`,
  title: '打开停车缴费页',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ code: codeField, carKey: carKeyField }),
  output: shape({
    estateName: text('项目', { required: true, wire: 'EstateName' }),
    parkName: text('停车场', { required: true, wire: 'ParkName' }),
    servicePhone: text('服务电话', { wire: 'ServicePhone' }),
    laneName: text('车道', { wire: 'GateName' }),
    direction: choice('方向', passageDirection, { wire: 'Direction' }),
    /** At an entrance with a camera, which sees whether a car without a plate is there. */
    canEnter: flag('可扫码入场', { required: true, wire: 'CanEnter' }),
    /** The car that stands at the exit of the code and was not let out. */
    waitingPlate: text('待出场车牌', { wire: 'WaitingPlate' }),
    /** The car without a plate that this telephone brought in, while it is inside. */
    ownPlate: text('本机车辆', { wire: 'OwnPlate' }),
  }),
})

/** A stay as anybody sees it who knows the plate: nothing of its owner, and nothing of other stays. */
const stayFields = {
  plateNo: text('车牌', { required: true, wire: 'PlateNo' }),
  inTime: moment('入场时间', { required: true, wire: 'InTime' }),
  stayMinutes: int('停留分钟', { required: true, wire: 'StayMinutes' }),
  stayText: text('停留时长', { required: true, wire: 'StayText' }),
  shouldPay: money('应收', { required: true }),
  paid: money('已收', { required: true }),
  couponAmount: money('券抵扣', { required: true }),
  hostAmount: money('被访人承担', { required: true, wire: 'HostAmount' }),
  waivedAmount: money('减免', { required: true, wire: 'WaivedAmount' }),
  due: money('待收', { required: true, wire: 'Due' }),
  sentence: text('说明', { required: true, wire: 'Sentence' }),
  coupons: lines('停车券', couponLine, { required: true, wire: 'Coupons' }),
  leaveBefore: moment('最晚离场', { wire: 'LeaveBefore' }),
  /** The coupons take off all that is owed. */
  isCovered: flag('券已抵全额', { required: true, wire: 'Covered' }),
} as const

export const payerStay = shape(stayFields)

export type PayerStay = NonNullable<typeof payerStay.T>

/** Which car: by its plate, or the one of this telephone. */
const carFields = { code: codeField, plateNo, carKey: carKeyField } as const

export const findPayerStay = call({
  route: `GET ${basePath}/Find`,
  title: '查询停车费',
  needs: publicAccess,
  perMinute: 60,
  input: shape(carFields),
  output: payerStay,
})

/** The order for what is due, or the use of the coupons that cover it; the amount is what the page shows. */
export const payStay = call({
  route: `POST ${basePath}/Pay`,
  title: '支付停车费',
  needs: publicAccess,
  perMinute: 30,
  input: shape({ ...carFields, amount: money('金额', { required: true, min: 0 }) }),
  output: shape({
    /** The payer's page of the order; none where coupons covered all. */
    url: text('支付地址', { wire: 'Url' }),
    receipt: text('缴费凭证', { required: true, wire: 'Receipt' }),
  }),
})

export const getPayerReceipt = call({
  route: `GET ${basePath}/Receipt`,
  title: '停车缴费结果',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ receipt: text('缴费凭证', { required: true, max: 200, wire: 'Receipt' }) }),
  output: shape({
    plateNo: text('车牌', { required: true, wire: 'PlateNo' }),
    parkName: text('停车场', { required: true, wire: 'ParkName' }),
    amount: money('金额', { required: true }),
    state: choice('支付状态', orderState, { required: true }),
    /** What was paid for a stay that had ended or was paid already goes back. */
    isReturned: flag('已退回', { required: true, wire: 'Returned' }),
    hasLeft: flag('已出场', { required: true, wire: 'Left' }),
    leaveBefore: moment('最晚离场', { wire: 'LeaveBefore' }),
  }),
})
