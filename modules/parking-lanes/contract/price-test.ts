import { call } from '#kit/contract/call.ts'
import { choice, flag, int, lines, moment, money, ref, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { carKind } from '#modules/parking/contract/car-labels.ts'
import { couponKind } from './choices.ts'

export const feeBlockFields = {
  from: moment('起', { required: true, wire: 'BeginTime' }),
  to: moment('止', { required: true, wire: 'EndTime' }),
  minutes: int('分钟', { required: true }),
  fee: money('金额', { required: true }),
  isHoliday: flag('节假日', { required: true, wire: 'Holiday' }),
  isCapped: flag('已封顶', { required: true, wire: 'Capped' }),
  reason: text('计费说明', { required: true, max: 200, wire: 'Reason' }),
} as const

/** PRK-25: what a stay would cost and why; coupons as a merchant would present them. */
export const testParkFee = call({
  route: 'GET ParkFeeRule/GetTest',
  title: '费用试算',
  needs: menu.feeRule.permissions.view,
  input: shape({
    parkId: ref('停车场', 'park', { required: true, wire: ['ParkID', 'ParkId'] }),
    carKind: choice('车类', carKind, { required: true, initial: 'temp' }),
    inTime: moment('入场时间', { required: true }),
    outTime: moment('出场时间', { required: true }),
    isFreeTicket: flag('免费券', { wire: 'FreeTicket' }),
    ticketMinutes: int('时长券', { min: 0, max: 14_400, unit: '分钟', wire: 'TicketMinutes' }),
    ticketAmount: money('金额券', { min: 0, max: 999_999_00, wire: 'TicketAmount' }),
    ticketPercent: int('折扣券', {
      min: 0,
      max: 100,
      unit: '%',
      wire: 'TicketPercent',
      help: '应付的百分之几，如八折填 80',
    }),
  }),
  output: shape({
    ruleName: text('收费规则', { required: true, max: 40 }),
    minutes: int('停留分钟', { required: true }),
    fullFee: money('应收', { required: true, wire: 'ShouldPay' }),
    discount: money('优惠', { required: true }),
    due: money('实收', { required: true, wire: 'Due' }),
    sentence: text('说明', { required: true, max: 500, wire: 'Sentence' }),
    blocks: lines('分段', feeBlockFields, { required: true, wire: 'Blocks' }),
    coupons: lines(
      '停车券',
      {
        kind: choice('类型', couponKind, { required: true, wire: 'Kind' }),
        discount: money('抵扣', { required: true }),
        reason: text('未使用原因', { max: 100, wire: 'Reason' }),
      },
      { required: true, wire: 'Coupons' },
    ),
  }),
})
