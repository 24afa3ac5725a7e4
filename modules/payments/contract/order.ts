import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, lines, moment, money, text } from '#kit/contract/field.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { channel, notifySource, orderState, orderType, payMethod, payType } from './choices.ts'

const inside = { notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
export const orderLine = { billId: int('账单', { required: true, wire: 'BillID' }), principal: money('本金', { required: true }), late: money('违约金', { required: true }), off: money('抹零') }

/** What waits for money from a channel, and how it went (C5.1). */
export const payOrder = entity('payOrder', '支付单', { table: 'pay_order', reach: 'project', title: 'orderNo', order: ['-id'] }, {
  projectCode: estateOf(),
  orderNo: text('订单号', { required: true, max: 30, sought: true, wire: 'OrderId' }),
  orderType: choice('业务类型', orderType, { required: true }),
  payType: choice('支付通道', payType),
  payMethod: choice('支付方式', payMethod),
  amount: money('订单金额', { required: true, wire: 'OrderAmount' }),
  orderObj: text('缴费对象', { required: true, max: 100, sought: true }),
  orderBody: text('缴费内容', { required: true, max: 200 }),
  orderMain: text('收款方', { required: true, max: 80 }),
  payerKind: choice('缴费人类别', payerSide, { notIn: ['table', 'filter'] }),
  payerId: int('缴费人', { wire: 'PayerID', notIn: ['table', 'filter', 'detail'] }),
  payerName: text('缴费人', { max: 80 }),
  lines: lines('账单明细', orderLine, { max: 500, wire: 'BillJson', notIn: ['table', 'filter'] }),
  refType: text('业务来源', { max: 30, ...inside }),
  refId: int('业务编号', { wire: 'RefID', ...inside }),
  channel: choice('渠道', channel),
  transactionId: text('渠道流水', { max: 64, sought: true }),
  codeUrl: text('二维码内容', { max: 500, ...inside }),
  expireTime: moment('过期时间', { required: true, notIn: ['filter'] }),
  queryTime: moment('下次查询', inside),
  paidTime: moment('支付时间'),
  notifySource: choice('确认来源', notifySource),
  failReason: text('失败原因', { max: 200, notIn: ['filter'] }),
  recordId: int('收款记录', { wire: 'RecordID', notIn: ['table', 'filter'] }),
  cashierId: int('收费员', { wire: 'CashierID', notIn: ['table', 'filter', 'detail'] }),
  cashierName: text('收费员', { max: 40 }),
  remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
  state: choice('状态', orderState, { required: true, initial: 'waiting' }),
})
export type PayOrder = Row<typeof payOrder>
