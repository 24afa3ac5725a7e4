import { call } from '#kit/contract/call.ts'
import { choice, choices, day, flag, int, lines, list, moment, money, text } from '#kit/contract/field.ts'
import { oneOf, pageOfRows, search, shape } from '#kit/contract/shape.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { menu } from '../module.ts'
import { invoiceChannel, invoiceKind } from './choices.ts'
import { invoiceRecord } from './record.ts'
import { titleFields } from './title.ts'

const { may } = menu.invoice
const p = payRecord.fields

/** Payments of which something may still be invoiced (INV-1), with totals over the whole filter. */
export const waitingRow = {
  id: int('编号', { required: true, wire: 'ID' }),
  projectCode: p.projectCode,
  recordNo: p.recordNo,
  receiptNo: p.receiptNo,
  recordType: p.recordType,
  sourceName: p.sourceName,
  payerName: p.payerName,
  payMethod: p.payMethod,
  payTime: p.payTime,
  receivedAmount: p.receivedAmount,
  refundedAmount: p.refundedAmount,
  invoicedAmount: p.invoicedAmount,
  openAmount: money('可开票', { required: true }),
}

export const listWaiting = call({
  at: 'GET InvoiceRecord/GetWaiting',
  title: '查询待开票收款',
  needs: may.view,
  input: search(payRecord, ['recordType', 'payMethod', 'payTime', 'payDay', 'buildCode'], {
    feeItem: int('收费项目', { wire: 'FeeItemID' }),
  }),
  output: pageOfRows(waitingRow, { sums: ['openAmount'], entity: 'payRecord' }),
})

const partKey = {
  recordId: int('收款记录', { required: true, min: 1, wire: 'RecordID' }),
  detailId: int('缴费明细', { min: 1, wire: 'DetailID' }),
}

export const openPart = {
  ...partKey,
  recordNo: p.recordNo,
  receiptNo: p.receiptNo,
  payTime: p.payTime,
  sourceName: p.sourceName,
  feeItemName: text('收费项目', { required: true }),
  beginDate: day('账期起'),
  endDate: day('账期止'),
  paid: money('已缴', { required: true }),
  refunded: money('已退', { required: true }),
  invoiced: money('已开票', { required: true }),
  open: money('可开票', { required: true }),
  goodName: text('开票商品'),
  refusal: text('不能开票的原因'),
}

/**
 * What of some payments of one payer may be invoiced, by which set, and under which titles he was invoiced
 * before.
 */
export const openable = call({
  at: 'GET InvoiceRecord/GetOpenable',
  title: '可开票明细',
  needs: may.open,
  input: shape({ recordIds: list('收款记录', { required: true, max: 50, wire: 'RecordIDs' }) }),
  output: shape(
    {
      projectCode: p.projectCode,
      payerName: text('缴费人', { required: true }),
      parts: lines('明细', openPart, { required: true }),
      titles: lines('用过的抬头', titleFields, { required: true }),
      setId: int('开票设置', { wire: 'SetID' }),
      companyName: text('销方'),
      channel: choice('开票通道', invoiceChannel),
      simulated: flag('本机模拟'),
      kinds: choices('可开票种', invoiceKind),
      limitAmount: money('单张限额'),
      refusal: text('不能开票的原因'),
    },
    { entity: 'payRecord' },
  ),
})

const openInput = {
  parts: lines(
    '明细',
    { ...partKey, amount: money('金额', { required: true, min: 1 }) },
    { required: true, max: 500, wire: 'Parts' },
  ),
  kind: choice('票种', invoiceKind, { required: true }),
  ...titleFields,
  remark: text('备注', { max: 200 }),
  originalId: int('原发票', { min: 1, wire: 'OriginalID', help: '重开时写明替换哪一张' }),
}

const byHand = {
  invoiceNo: text('发票号', { max: 30 }),
  invoiceCode: text('发票代码', { max: 20 }),
  issueTime: moment('开票时间'),
}

const affects = ['invoiceRecord', 'invoicePart', 'payRecord', 'payDetail', 'bill', 'invoiceTitle']

/**
 * Makes the invoice and has it issued: sent to the platform, or registered with the number of the paper one.
 */
export const openInvoice = call({
  at: 'POST Invoice/Open',
  title: '开票',
  needs: may.open,
  input: shape({ ...openInput, ...byHand }),
  output: oneOf(invoiceRecord),
  affects,
})

/** Makes it and lets it wait (待开具); its amounts are taken from now on. */
export const addInvoice = call({
  at: 'POST InvoiceRecord/Post',
  title: '新增发票',
  needs: may.open,
  input: shape(openInput),
  output: oneOf(invoiceRecord),
  affects,
})

const ids = { id: int('编号', { required: true, min: 1, wire: 'ID' }) }
const reason = text('原因', { required: true, min: 2, max: 200 })

/** Title and kind of one that has not been issued. */
export const editInvoice = call({
  at: 'PUT InvoiceRecord/Put',
  title: '编辑发票',
  needs: may.open,
  input: shape({
    ...ids,
    version: int('版本'),
    kind: openInput.kind,
    ...titleFields,
    remark: openInput.remark,
  }),
  output: oneOf(invoiceRecord),
  affects,
})

/** Issues what waits or has failed. By hand: one at a time, with its number. */
export const issueInvoices = call({
  at: 'POST InvoiceRecord/KaiPiao',
  title: '开具',
  needs: may.open,
  input: shape({ ids: list('编号', { required: true, max: 100, wire: ['Ids', 'ID'] }), ...byHand }),
  output: shape({ count: int('张数', { required: true }), taskId: int('任务', { wire: 'TaskID' }) }),
  affects,
})

export const redPart = {
  partId: int('开票明细', { required: true, min: 1, wire: 'PartID' }),
  amount: money('红冲金额', { required: true, min: 1 }),
}

/**
 * INV-5: in red what the parts say, or all that still stands; then that may be invoiced again. By hand: with
 * the red invoice's number.
 */
export const redInvoice = call({
  at: 'PUT InvoiceRecord/PutBack',
  title: '红冲',
  needs: may.red,
  input: shape({
    ...ids,
    reason,
    parts: lines('红冲明细', redPart, { max: 500, wire: 'Parts', help: '不填为余下的全部' }),
    ...byHand,
  }),
  output: oneOf(invoiceRecord),
  affects,
})

/** Several invoices of the platform sent back at once, each with all that still stands of it. */
export const redInvoices = call({
  at: 'POST InvoiceRecord/TuiHui',
  title: '退回红冲',
  needs: may.red,
  input: shape({ ids: list('编号', { required: true, max: 50, wire: ['Ids', 'ID'] }), reason }),
  output: shape({ count: int('张数', { required: true }), taskId: int('任务', { wire: 'TaskID' }) }),
  affects,
})

/** What was not issued, or a paper one in its month (C7). */
export const cancelInvoice = call({
  at: 'PUT InvoiceRecord/PutCancellation',
  title: '作废发票',
  needs: may.cancel,
  input: shape({ ...ids, reason }),
  output: oneOf(invoiceRecord),
  affects,
})
