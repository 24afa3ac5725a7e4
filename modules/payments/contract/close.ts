import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, int, lines, moment, money, ref, text } from '#kit/contract/field.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { handoverState, payMethod } from './choices.ts'

export const handoverLine = { method: choice('支付方式', payMethod, { required: true }), received: money('收', { required: true }), refunded: money('退', { required: true }), count: int('笔数', { required: true }) }
/** A cashier hands over what was taken between two moments (PAY-23). */
export const cashierHandover = entity('cashierHandover', '交账单', { table: 'cashier_handover', reach: 'project', title: 'handNo', order: ['-id'] }, {
  projectCode: estateOf(),
  handNo: text('单号', { required: true, max: 30, sought: true }),
  cashierId: ref('收费员', 'manager', { required: true, wire: 'CashierID', notIn: ['table'] }),
  cashierName: text('收费员', { required: true, max: 40, notIn: ['filter'] }),
  beginTime: moment('起', { required: true }),
  endTime: moment('止', { required: true }),
  methods: lines('分方式汇总', handoverLine, { required: true, wire: 'MethodJson', notIn: ['table', 'filter'] }),
  totalReceived: money('收款', { required: true }),
  totalRefund: money('退款', { required: true }),
  cashAmount: money('应交现金', { required: true }),
  handAmount: money('实交现金', { required: true }),
  diff: money('差异', { required: true }),
  confirmBy: int('确认人', { notIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
  confirmName: text('确认人', { max: 40, notIn: ['filter'] }),
  confirmTime: moment('确认时间', { notIn: ['filter'] }),
  rejectReason: text('驳回原因', { max: 200, notIn: ['table', 'filter'] }),
  remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
  state: choice('状态', handoverState, { required: true, initial: 'pending' }),
})
export type CashierHandover = Row<typeof cashierHandover>

/** A day whose money may no longer be changed (CLO-3). */
export const dayClose = entity('dayClose', '日结', { table: 'day_close', reach: 'project', title: 'day', order: ['-day'] }, {
  projectCode: estateOf(),
  day: day('日期', { required: true }),
  closeName: text('日结人', { max: 40 }),
  closeTime: moment('日结时间'),
  openName: text('反日结人', { max: 40, notIn: ['filter'] }),
  openTime: moment('反日结时间', { notIn: ['filter'] }),
  openReason: text('反日结原因', { max: 200, notIn: ['filter'] }),
  closed: flag('已日结', { required: true, initial: true }),
})
export type DayClose = Row<typeof dayClose>
