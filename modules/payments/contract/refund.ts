import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, keyRef, lines, moment, money, ref, text } from '#kit/contract/field.ts'
import { byId, oneOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { billAfter } from '#modules/bills/contract/choices.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { refundState, refundWay } from './choices.ts'

const inside = { notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

export const refundLine = {
  detailId: int('明细', { required: true, wire: 'DetailID' }),
  billId: int('账单', { required: true, wire: 'BillID' }),
  principal: money('本金', { required: true, min: 0 }),
  late: money('违约金', { required: true, min: 0 }),
}

/** Money to go back, from asking to its arrival (C6.1). */
export const feeRefund = entity(
  'feeRefund',
  '退款单',
  { table: 'fee_refund', reach: 'project', title: 'refundNo', order: ['-id'] },
  {
    projectCode: estateOf(),
    refundNo: text('退款单号', { required: true, max: 30, sought: true }),
    recordId: ref('原收款记录', 'payRecord', { required: true, wire: 'RecordID', notIn: ['table'] }),
    sourceName: text('缴费对象', { required: true, max: 100, sought: true }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      notIn: ['table', 'form', 'detail'],
    }),
    payerName: text('缴费人', { max: 80, sought: true }),
    lines: lines('退款明细', refundLine, {
      required: true,
      max: 500,
      wire: 'DetailJson',
      notIn: ['table', 'filter'],
    }),
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
  },
)

export type FeeRefund = Row<typeof feeRefund>

const ids = { id: int('编号', { required: true, min: 1, wire: 'ID' }) }

/** REF-2: of which payment, how much of which bills, how it goes back, and what becomes of the bills. */
export const askRefund = call({
  at: 'PUT finance/v1/Feecenter/PutPayback',
  names: ['finance/v1/FeePayRecord/PutPayback', 'finance/v1/Feecenter/PutPayback_PayCenter'],
  title: '申请退款',
  needs: menu.refund.may.apply,
  affects: ['feeRefund', 'payRecord', 'bill', 'asset'],
  input: shape({
    recordId: int('收款记录', { required: true, min: 1, wire: ['RecordID', 'ID'] }),
    lines: lines(
      '退款明细',
      { detailId: refundLine.detailId, principal: refundLine.principal, late: refundLine.late },
      { required: true, max: 500, wire: ['DetailJson', 'Details'] },
    ),
    refundWay: choice('退款方式', refundWay, { required: true }),
    billAfter: choice('账单处理', billAfter, { required: true }),
    reason: text('原因', { required: true, min: 2, max: 200 }),
  }),
  output: oneOf(feeRefund),
})

export const listRefunds = call({
  at: 'GET finance/v1/FeeRefund/Get',
  title: '查询退款',
  needs: menu.refund.may.view,
  input: search(feeRefund, [
    'recordId',
    'refundWay',
    'billAfter',
    'state',
    'amount',
    'buildCode',
    'createTime',
    'finishTime',
  ]),
  output: pageOf(feeRefund, { sums: ['amount'] }),
})

export const oneRefund = call({
  at: 'GET finance/v1/FeeRefund/GetOne',
  title: '查看退款',
  needs: menu.refund.may.view,
  input: byId,
  output: oneOf(feeRefund),
})

/** REF-3: another person than the applicant. */
export const auditRefund = call({
  at: 'PUT finance/v1/FeeRefund/PutAudit',
  title: '审核退款',
  needs: menu.refund.may.audit,
  input: shape({ ...ids, pass: flag('通过', { required: true }), note: text('审核意见', { max: 200 }) }),
  output: oneOf(feeRefund),
  affects: ['feeRefund', 'payRecord', 'bill', 'asset'],
})

/** REF-6 */
export const cancelRefund = call({
  at: 'PUT finance/v1/Feecenter/cancelrefund',
  title: '取消退款',
  needs: menu.refund.may.cancel,
  input: shape({ ...ids, reason: text('原因', { required: true, min: 2, max: 200 }) }),
  output: oneOf(feeRefund),
  affects: ['feeRefund', 'payRecord', 'bill', 'asset'],
})

export const retryRefund = call({
  at: 'PUT finance/v1/FeeRefund/PutRetry',
  title: '重试退款',
  needs: menu.refund.may.audit,
  input: shape(ids),
  output: oneOf(feeRefund),
  affects: ['feeRefund'],
})
