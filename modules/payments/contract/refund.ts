import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, keyRef, lines, moment, money, ref, text } from '#kit/contract/field.ts'
import { byId, recordOf, pageOf, search, shape, reasonField, recordIdField } from '#kit/contract/shape.ts'
import { billAfterRefund } from '#modules/bills/contract/choices.ts'
import { periodAfter } from '#modules/fees/contract/choices.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { payMethod, refundState, refundSubject, refundWay } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

export const refundLine = {
  detailId: idOf('明细', { required: true, wire: 'DetailID' }),
  billId: idOf('账单', { required: true, wire: 'BillID' }),
  principal: money('本金', { required: true, min: 0 }),
  late: money('违约金', { required: true, min: 0 }),
}

/** Money to go back, from asking to its arrival (C6.1). */
export const feeRefund = entity(
  'feeRefund',
  '退款单',
  { table: 'fee_refund', tenancy: 'project', title: 'refundNo', order: ['-id'] },
  {
    projectCode: estateField(),
    refundNo: text('退款单号', { required: true, max: 30, searchable: true }),
    /** What the channel knows it by; a refund without one goes by its number. */
    tradeNo: text('商户退款单号', { max: 40, hiddenIn: ['table', 'form', 'filter'] }),
    subject: choice('退款内容', refundSubject, { required: true, initial: 'bills' }),
    /** The account or the deposit. */
    subjectId: idOf('退款对象', { wire: 'SubjectID', ...internalOnly }),
    /** For money paid for bills. */
    recordId: ref('原收款记录', 'payRecord', { wire: 'RecordID', hiddenIn: ['table'] }),
    sourceName: text('收费对象', { required: true, max: 100, searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail'],
    }),
    payerName: text('缴费人', { max: 80, searchable: true }),
    lines: lines('退款明细', refundLine, {
      required: true,
      max: 500,
      wire: 'DetailJson',
      hiddenIn: ['table', 'filter'],
    }),
    amount: money('退款金额', { required: true }),
    refundWay: choice('退款方式', refundWay, { required: true }),
    /** What is paid out of an account or a deposit is paid by. */
    method: choice('支付方式', payMethod, { wire: 'PayMethod', hiddenIn: ['table', 'filter'] }),
    billAfter: choice('账单处理', billAfterRefund),
    periodAfter: choice('账期处理', periodAfter, { hiddenIn: ['table', 'filter'] }),
    reason: text('原因', { required: true, max: 200 }),
    /** The first of those that were asked for together: one decision is about all of them. */
    groupNo: text('合并退款', { max: 30, hiddenIn: ['table', 'form', 'filter'] }),
    applyBy: int('申请人', { required: true, ...internalOnly }),
    applyName: text('申请人', { required: true, max: 40, hiddenIn: ['filter'] }),
    auditBy: int('审核人', internalOnly),
    auditName: text('审核人', { max: 40, hiddenIn: ['filter'] }),
    auditTime: moment('审核时间', { hiddenIn: ['table', 'filter'] }),
    auditNote: text('审核意见', { max: 200, hiddenIn: ['table', 'filter'] }),
    channelRefundNo: text('渠道退款号', { max: 64, hiddenIn: ['table'] }),
    negRecordId: ref('红冲记录', 'payRecord', { wire: 'NegRecordID', hiddenIn: ['table', 'filter'] }),
    queryTime: moment('下次查询', internalOnly),
    failReason: text('失败原因', { max: 200, hiddenIn: ['filter'] }),
    finishTime: moment('完成时间'),
    /** For one in approval: it came back; it is amended and goes in again, or is cancelled (APR-4). */
    isReturned: flag('已退回', {
      required: true,
      initial: false,
      hiddenIn: ['table', 'form', 'sheet', 'detail'],
    }),
    returnReason: text('退回原因', { max: 500, hiddenIn: ['table', 'form', 'filter'] }),
    state: choice('状态', refundState, {
      required: true,
      initial: 'pending',
      struckOut: ['rejected', 'cancelled'],
    }),
  },
)

export type FeeRefund = Row<typeof feeRefund>

const idInput = { id: recordIdField }

/** REF-2: of which payment, how much of which bills, how it goes back, and what becomes of the bills. */
export const requestRefund = call({
  route: 'PUT finance/v1/Feecenter/PutPayback',
  aliases: ['finance/v1/FeePayRecord/PutPayback', 'finance/v1/Feecenter/PutPayback_PayCenter'],
  title: '申请退款',
  needs: menu.refund.permissions.apply,
  affects: ['feeRefund', 'payRecord', 'bill', 'asset'],
  input: shape({
    recordId: idOf('收款记录', { required: true, min: 1, wire: ['RecordID', 'ID'] }),
    lines: lines(
      '退款明细',
      { detailId: refundLine.detailId, principal: refundLine.principal, late: refundLine.late },
      { required: true, max: 500, wire: ['DetailJson', 'Details'] },
    ),
    refundWay: choice('退款方式', refundWay, { required: true }),
    billAfter: choice('账单处理', billAfterRefund, { required: true }),
    /** For bills that are abolished with it: billed again, or never charged (GEN-3). */
    periodAfter: choice('账期处理', periodAfter),
    reason: reasonField,
  }),
  output: recordOf(feeRefund),
})

export const refundFilters = [
  'subject',
  'recordId',
  'refundWay',
  'billAfter',
  'state',
  'isReturned',
  'amount',
  'buildCode',
  'createTime',
  'finishTime',
] as const

export const listRefunds = call({
  route: 'GET finance/v1/FeeRefund/Get',
  title: '查询退款',
  needs: menu.refund.permissions.view,
  input: search(feeRefund, refundFilters),
  output: pageOf(feeRefund, { sums: ['amount'] }),
})

export const getRefund = call({
  route: 'GET finance/v1/FeeRefund/GetOne',
  title: '查看退款',
  needs: menu.refund.permissions.view,
  input: byId,
  output: recordOf(feeRefund),
})

/** REF-3: another person than the applicant. */
export const auditRefund = call({
  route: 'PUT finance/v1/FeeRefund/PutAudit',
  title: '审核退款',
  needs: menu.refund.permissions.audit,
  input: shape({ ...idInput, pass: flag('通过', { required: true }), note: text('审核意见', { max: 200 }) }),
  output: recordOf(feeRefund),
  affects: ['feeRefund', 'payRecord', 'bill', 'asset'],
})

/** REF-6 */
export const cancelRefund = call({
  route: 'PUT finance/v1/Feecenter/cancelrefund',
  title: '取消退款',
  needs: menu.refund.permissions.cancel,
  input: shape({ ...idInput, reason: reasonField }),
  output: recordOf(feeRefund),
  affects: ['feeRefund', 'payRecord', 'bill', 'asset'],
})

export const retryRefund = call({
  route: 'PUT finance/v1/FeeRefund/PutRetry',
  title: '重试退款',
  needs: menu.refund.permissions.audit,
  input: shape(idInput),
  output: recordOf(feeRefund),
  affects: ['feeRefund'],
})
