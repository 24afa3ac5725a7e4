import { call } from '#kit/contract/call.ts'
import {
  choice,
  choices,
  day,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  money,
  text,
} from '#kit/contract/field.ts'
import { recordOf, pageOfRows, search, shape, reasonField, recordIdField } from '#kit/contract/shape.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { menu } from '../module.ts'
import { invoiceChannel, invoiceKind } from './choices.ts'
import { invoiceRecord } from './record.ts'
import { titleFields } from './title.ts'

const { permissions } = menu.invoice
const payRecordFields = payRecord.fields

/** Payments of which something may still be invoiced (INV-1), with totals over the whole filter. */
export const waitingPaymentRow = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  projectCode: payRecordFields.projectCode,
  recordNo: payRecordFields.recordNo,
  receiptNo: payRecordFields.receiptNo,
  recordType: payRecordFields.recordType,
  sourceName: payRecordFields.sourceName,
  payerName: payRecordFields.payerName,
  payMethod: payRecordFields.payMethod,
  methods: payRecordFields.methods,
  changeAmount: payRecordFields.changeAmount,
  payTime: payRecordFields.payTime,
  receivedAmount: payRecordFields.receivedAmount,
  refundedAmount: payRecordFields.refundedAmount,
  invoicedAmount: payRecordFields.invoicedAmount,
  openAmount: money('可开票', { required: true }),
}

export const listWaitingPayments = call({
  route: 'GET InvoiceRecord/GetWaiting',
  title: '查询待开票收款',
  needs: permissions.view,
  input: search(payRecord, ['recordType', 'payMethod', 'payTime', 'payDay', 'buildCode'], {
    feeItem: int('收费项目', { wire: 'FeeItemID' }),
  }),
  output: pageOfRows(waitingPaymentRow, { sums: ['openAmount'], entity: 'payRecord' }),
})

const partKey = {
  recordId: idOf('收款记录', { required: true, min: 1, wire: 'RecordID' }),
  detailId: idOf('缴费明细', { min: 1, wire: 'DetailID' }),
}

export const invoiceablePart = {
  ...partKey,
  recordNo: payRecordFields.recordNo,
  receiptNo: payRecordFields.receiptNo,
  payTime: payRecordFields.payTime,
  sourceName: payRecordFields.sourceName,
  feeItemName: text('收费项目', { required: true }),
  beginDate: day('账期起'),
  endDate: day('账期止'),
  paid: money('已收', { required: true }),
  refunded: money('已退', { required: true }),
  invoiced: money('已开票', { required: true }),
  open: money('可开票', { required: true }),
  goodName: text('开票商品'),
  refusal: text('不能开票的原因'),
}

/** What of some payments of one payer may be invoiced, by which set, and the titles of former invoices. */
export const getInvoiceable = call({
  route: 'GET InvoiceRecord/GetOpenable',
  title: '可开票明细',
  needs: permissions.open,
  input: shape({ recordIds: list('收款记录', { required: true, max: 50, wire: 'RecordIDs' }) }),
  output: shape(
    {
      projectCode: payRecordFields.projectCode,
      payerName: text('缴费人', { required: true }),
      parts: lines('明细', invoiceablePart, { required: true }),
      titles: lines('用过的抬头', titleFields, { required: true }),
      setId: idOf('开票设置', { wire: 'SetID' }),
      companyName: text('销方'),
      channel: choice('开票通道', invoiceChannel),
      simulated: flag('模拟渠道'),
      kinds: choices('可开票种', invoiceKind),
      limitAmount: money('单张限额'),
      refusal: text('不能开票的原因'),
    },
    { entity: 'payRecord' },
  ),
})

const invoicingInput = {
  parts: lines(
    '明细',
    { ...partKey, amount: money('金额', { required: true, min: 1 }) },
    { required: true, max: 500, wire: 'Parts' },
  ),
  kind: choice('票种', invoiceKind, { required: true }),
  ...titleFields,
  remark: text('备注', { max: 200 }),
  originalId: idOf('原发票', { min: 1, wire: 'OriginalID', help: '重开时填写所替换的发票' }),
}

const manualNumberFields = {
  invoiceNo: text('发票号', { max: 30 }),
  invoiceCode: text('发票代码', { max: 20 }),
  issueTime: moment('开票时间'),
}

const affectedEntities = ['invoiceRecord', 'invoicePart', 'payRecord', 'payDetail', 'bill', 'invoiceTitle']

/**
 * Makes the invoice and has it issued: sent to the platform, or registered with the number of the paper one.
 */
export const addAndIssueInvoice = call({
  route: 'POST Invoice/Open',
  title: '开票',
  needs: permissions.open,
  input: shape({ ...invoicingInput, ...manualNumberFields }),
  output: recordOf(invoiceRecord),
  affects: affectedEntities,
})

/** Makes it and lets it wait (待开具); its amounts are taken from now on. */
export const addInvoice = call({
  route: 'POST InvoiceRecord/Post',
  title: '新增发票',
  needs: permissions.open,
  input: shape(invoicingInput),
  output: recordOf(invoiceRecord),
  affects: affectedEntities,
})

const idField = { id: recordIdField }

/** Title and kind of one that has not been issued. */
export const editInvoice = call({
  route: 'PUT InvoiceRecord/Put',
  title: '编辑发票',
  needs: permissions.open,
  input: shape({
    ...idField,
    version: int('版本'),
    kind: invoicingInput.kind,
    ...titleFields,
    remark: invoicingInput.remark,
  }),
  output: recordOf(invoiceRecord),
  affects: affectedEntities,
})

/** Issues what waits or has failed. By hand: one at a time, with its number. */
export const issueInvoices = call({
  route: 'POST InvoiceRecord/KaiPiao',
  title: '开具',
  needs: permissions.open,
  input: shape({
    ids: list('编号', { required: true, max: 100, wire: ['Ids', 'ID'] }),
    ...manualNumberFields,
  }),
  output: shape({ count: int('张数', { required: true }), taskId: idOf('任务', { wire: 'TaskID' }) }),
  affects: affectedEntities,
})

export const redPart = {
  partId: idOf('开票明细', { required: true, min: 1, wire: 'PartID' }),
  amount: money('红冲金额', { required: true, min: 1 }),
}

/**
 * INV-5: in red what the parts say, or all that is left; then that may be invoiced again. By hand: with
 * the red invoice's number.
 */
export const redInvoice = call({
  route: 'PUT InvoiceRecord/PutBack',
  title: '红冲',
  needs: permissions.red,
  input: shape({
    ...idField,
    reason: reasonField,
    parts: lines('红冲明细', redPart, { max: 500, wire: 'Parts', help: '不填为余下的全部' }),
    ...manualNumberFields,
  }),
  output: recordOf(invoiceRecord),
  affects: affectedEntities,
})

/** Several invoices of the platform sent back at once, each with all that is left of it. */
export const redInvoices = call({
  route: 'POST InvoiceRecord/TuiHui',
  title: '退回红冲',
  needs: permissions.red,
  input: shape({ ids: list('编号', { required: true, max: 50, wire: ['Ids', 'ID'] }), reason: reasonField }),
  output: shape({ count: int('张数', { required: true }), taskId: idOf('任务', { wire: 'TaskID' }) }),
  affects: affectedEntities,
})

/** What was not issued, or a paper one in its month (C7). */
export const cancelInvoice = call({
  route: 'PUT InvoiceRecord/PutCancellation',
  title: '作废发票',
  needs: permissions.cancel,
  input: shape({ ...idField, reason: reasonField }),
  output: recordOf(invoiceRecord),
  affects: affectedEntities,
})
