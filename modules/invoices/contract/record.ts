import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  file,
  flag,
  idOf,
  int,
  keyRef,
  lines,
  list,
  moment,
  money,
  part,
  ref,
  text,
  type ValueOf,
} from '#kit/contract/field.ts'
import { fileResponse, byId, recordOf, pageOf, pageOfRows, search, shape } from '#kit/contract/shape.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { invoiceChannel, invoiceMedium, invoiceState, invoiceType } from './choices.ts'
import { titleFields } from './title.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const hiddenInList = { hiddenIn: ['table', 'filter'] } as const

/** A line as printed on the invoice: one good, one rate (INV-1, INV-3). */
export const invoiceLine = {
  goodId: idOf('开票商品', { required: true, wire: 'GoodID' }),
  goodName: text('商品', { required: true }),
  shortName: text('分类简称'),
  taxCode: text('税收分类编码', { required: true }),
  unit: text('单位'),
  isNoTax: flag('不征税', { required: true }),
  taxRate: decimal('税率', { required: true, scale: 8 }),
  amount: money('价税合计', { required: true }),
  net: money('不含税', { required: true }),
  tax: money('税额', { required: true }),
  periods: text('账期'),
}

export type InvoiceLine = ValueOf<typeof invoiceLine>

export const sellerFields = {
  companyName: text('销方名称', { required: true }),
  taxNo: text('销方税号', { required: true }),
  address: text('地址电话'),
  bank: text('开户行账号'),
  drawer: text('开票人', { required: true }),
  payee: text('收款人'),
  reviewer: text('复核人'),
}

/**
 * One invoice, or the red one that takes it back: its amounts are negative and it names the blue one (C7).
 */
export const invoiceRecord = entity(
  'invoiceRecord',
  '发票',
  { table: 'invoice_record', tenancy: 'project', title: 'serialNo', order: ['-id'] },
  {
    projectCode: estateField(),
    serialNo: text('开票流水号', { required: true, max: 40, searchable: true }),
    invoiceNo: text('发票号', { max: 30, searchable: true }),
    invoiceCode: text('发票代码', { max: 20 }),
    invoiceType: choice('类型', invoiceType, { required: true }),
    medium: choice('介质', invoiceMedium, { required: true }),
    isRed: flag('红字', { required: true, initial: false }),
    title: part('抬头', titleFields, { required: true, wire: 'TitleJson', ...internalOnly }),
    buyerName: text('购买方', { required: true, max: 80, searchable: true }),
    buyerTaxNo: text('购买方税号', { max: 20, searchable: true }),
    seller: part('销方', sellerFields, { required: true, ...internalOnly }),
    payerKind: choice('缴费人类别', payerSide, hiddenInList),
    payerId: idOf('缴费人', { wire: 'PayerID', ...internalOnly }),
    payerName: text('缴费人', { required: true, max: 80, searchable: true }),
    sourceName: text('收费对象', { required: true, max: 100, searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail'],
    }),
    lines: lines('票面明细', invoiceLine, { required: true, wire: 'LinesJson', ...internalOnly }),
    netAmount: money('不含税', { required: true }),
    taxAmount: money('税额', { required: true }),
    totalAmount: money('价税合计', { required: true }),
    redAmount: money('已红冲', { required: true, initial: 0 }),
    recordIds: list('缴费记录', { required: true, wire: 'RecordIDs', ...internalOnly }),
    receiptNos: text('关联收据', { max: 4000, hiddenIn: ['table', 'filter'] }),
    channel: choice('开票通道', invoiceChannel, { required: true }),
    setId: idOf('开票设置', { required: true, wire: 'SetID', ...internalOnly }),
    issueTime: moment('开票时间'),
    pdf: file('版式文件', { wire: 'PdfUrl', ...internalOnly }),
    originalId: ref('原发票', 'invoiceRecord', { wire: 'OriginalID', ...hiddenInList }),
    redReason: text('红冲或作废原因', { max: 200, ...hiddenInList }),
    failReason: text('失败原因', { max: 200, hiddenIn: ['filter'] }),
    attempt: int('次数', { required: true, initial: 1, ...internalOnly }),
    sentTime: moment('提交时间', internalOnly),
    queryTime: moment('下次询问', internalOnly),
    remark: text('备注', { max: 200, ...hiddenInList }),
    operatorId: idOf('操作人', { wire: 'OperatorID', ...internalOnly }),
    operatorName: text('操作人', { max: 40, hiddenIn: ['filter'] }),
    state: choice('状态', invoiceState, { required: true, initial: 'pending', struckOut: ['cancelled'] }),
  },
)

export type InvoiceRecord = Row<typeof invoiceRecord>

/**
 * Which payment a part of an invoice is for, and how much; without a detail it is money kept as prestore
 * (INV-1, INV-2).
 */
export const invoicePart = entity(
  'invoicePart',
  '开票明细',
  { table: 'invoice_part', tenancy: 'project', title: 'feeItemName', order: ['-id'] },
  {
    projectCode: estateField(),
    invoiceId: ref('发票', 'invoiceRecord', {
      required: true,
      wire: 'InvoiceID',
      hiddenIn: ['table', 'filter', 'form'],
    }),
    buildCode: buildingThrough('invoiceId'),
    recordId: ref('收款记录', 'payRecord', {
      required: true,
      wire: 'RecordID',
      hiddenIn: ['table', 'filter', 'form'],
    }),
    detailId: idOf('缴费明细', { wire: 'DetailID', ...internalOnly }),
    billId: idOf('账单', { wire: 'BillID', ...internalOnly }),
    sourceName: text('收费对象', { required: true, max: 100 }),
    feeItemId: ref('收费项目', 'feeItem', { wire: 'FeeItemID', hiddenIn: ['table', 'detail'] }),
    feeItemName: text('收费项目', { required: true, max: 40 }),
    beginDate: day('账期起'),
    endDate: day('账期止'),
    goodName: text('开票商品', { required: true, max: 60 }),
    taxRate: decimal('税率', { required: true, scale: 8 }),
    amount: money('开票金额', { required: true }),
    redAmount: money('已红冲', { required: true, initial: 0 }),
    originPartId: idOf('蓝字明细', { wire: 'OriginPartID', ...internalOnly }),
  },
)

export type InvoicePart = Row<typeof invoicePart>

const { permissions } = menu.invoice
const recordFields = invoiceRecord.fields

export const invoiceFilters = [
  'invoiceType',
  'medium',
  'isRed',
  'channel',
  'issueTime',
  'createTime',
  'totalAmount',
  'redAmount',
  'buildCode',
  'originalId',
  'state',
] as const

export const invoiceSums = ['netAmount', 'taxAmount', 'totalAmount'] as const
const recordFilter = { recordId: idOf('收款记录', { wire: 'RecordID' }) }

/** Totals are of the whole filter; a red invoice counts against its blue one. */
export const listInvoices = call({
  route: 'GET InvoiceRecord/Get',
  title: '查询发票',
  needs: permissions.view,
  input: search(invoiceRecord, invoiceFilters, recordFilter),
  output: pageOf(invoiceRecord, { sums: [...invoiceSums] }),
})

/** A red invoice of this one, or the one that replaces it. */
export const followerRow = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  serialNo: recordFields.serialNo,
  invoiceNo: recordFields.invoiceNo,
  isRed: recordFields.isRed,
  totalAmount: recordFields.totalAmount,
  state: recordFields.state,
}

export const invoicePartRow = {
  ...invoicePart.fields,
  recordNo: text('收款流水号', { required: true }),
  receiptNo: text('收据号'),
}

/** `dueAmount`: what of it went back and is still on the invoice, to be taken back in red (REF-7). */
export const invoiceDetailFields = {
  ...recordFields,
  parts: lines(
    '对应收款',
    { ...invoicePartRow, dueAmount: money('应红冲', { required: true }) },
    { required: true, wire: 'Parts' },
  ),
  original: text('原发票号'),
  followers: lines('后续发票', followerRow, { required: true }),
}

export const getInvoice = call({
  route: 'GET InvoiceRecord/GetDetail',
  title: '查看发票',
  needs: permissions.view,
  input: byId,
  output: shape(invoiceDetailFields, { entity: 'invoiceRecord' }),
})

/** One row per invoice and payment line: what was invoiced for which money. */
export const invoiceEntry = {
  ...invoicePartRow,
  serialNo: recordFields.serialNo,
  invoiceNo: recordFields.invoiceNo,
  invoiceType: recordFields.invoiceType,
  isRed: recordFields.isRed,
  buyerName: recordFields.buyerName,
  issueTime: recordFields.issueTime,
  state: recordFields.state,
  operatorName: recordFields.operatorName,
}

export const listEntries = call({
  route: 'GET InvoiceRecord/GetEntries',
  title: '查询开票记录',
  needs: permissions.view,
  input: search(invoiceRecord, invoiceFilters, {
    ...recordFilter,
    feeItem: int('收费项目', { wire: 'FeeItemID' }),
  }),
  output: pageOfRows(invoiceEntry, { sums: ['amount'], entity: 'invoiceRecord' }),
})

/** Asks the platform what has become of it, at once. */
export const queryInvoice = call({
  route: 'GET InvoiceRecord/query',
  title: '查询开票结果',
  needs: permissions.view,
  input: byId,
  output: recordOf(invoiceRecord),
  perMinute: 60,
})

export const getInvoiceFile = call({
  route: 'GET InvoiceRecord/GetFile',
  title: '下载版式文件',
  needs: permissions.view,
  input: byId,
  output: fileResponse,
})

/** INV-8 */
export const invoiceColumns = sheetColumns(recordFields, [
  'invoiceNo',
  'invoiceCode',
  'invoiceType',
  'medium',
  'isRed',
  'buyerName',
  'buyerTaxNo',
  'sourceName',
  'payerName',
  'netAmount',
  'taxAmount',
  'totalAmount',
  'redAmount',
  'state',
  'issueTime',
  'operatorName',
  'receiptNos',
  'serialNo',
  'redReason',
  'remark',
])

export const exportInvoices = declareExport({
  route: 'GET InvoiceRecord/GetExport',
  title: '导出发票',
  needs: permissions.export,
  list: listInvoices,
})
