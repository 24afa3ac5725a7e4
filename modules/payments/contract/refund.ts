import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, keyRef, lines, moment, money, ref, text } from '#kit/contract/field.ts'
import { billAfter } from '#modules/bills/contract/choices.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { refundState, refundWay } from './choices.ts'

const inside = { notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
export const refundLine = { detailId: int('明细', { required: true, wire: 'DetailID' }), billId: int('账单', { required: true, wire: 'BillID' }), principal: money('本金', { required: true, min: 0 }), late: money('违约金', { required: true, min: 0 }) }

/** Money to go back, from asking to its arrival (C6.1). */
export const feeRefund = entity('feeRefund', '退款单', { table: 'fee_refund', reach: 'project', title: 'refundNo', order: ['-id'] }, {
  projectCode: estateOf(),
  refundNo: text('退款单号', { required: true, max: 30, sought: true }),
  recordId: ref('原收款记录', 'payRecord', { required: true, wire: 'RecordID', notIn: ['table'] }),
  sourceName: text('缴费对象', { required: true, max: 100, sought: true }),
  buildCode: keyRef('楼栋', 'building', { within: 'building', wire: 'Buildcode', notIn: ['table', 'form', 'detail'] }),
  payerName: text('缴费人', { max: 80, sought: true }),
  lines: lines('退款明细', refundLine, { required: true, max: 500, wire: 'DetailJson', notIn: ['table', 'filter'] }),
  amount: money('退款金额', { required: true }),
  refundWay: choice('退款方式', refundWay, { required: true }),
  billAfter: choice('账单处理', billAfter, { required: true }),
  reason: text('原因', { required: true, max: 200 }),
  applyBy: int('申请人', { required: true, ...inside }),
  applyName: text('申请人', { required: true, max: 40, notIn: ['filter'] }),
  auditBy: int('审核人', inside),
  auditName: text('审核人', { max: 40, notIn: ['filter'] }),
  auditTime: moment('审核时间', { notIn: ['table', 'filter'] }),
  auditNote: text('审核意见', { max: 200, notIn: ['table', 'filter'] }),
  channelRefundNo: text('渠道退款号', { max: 64, notIn: ['table'] }),
  negRecordId: ref('红冲记录', 'payRecord', { wire: 'NegRecordID', notIn: ['table', 'filter'] }),
  queryTime: moment('下次查询', inside),
  failReason: text('失败原因', { max: 200, notIn: ['filter'] }),
  finishTime: moment('完成时间'),
  state: choice('状态', refundState, { required: true, initial: 'pending' }),
})
export type FeeRefund = Row<typeof feeRefund>
