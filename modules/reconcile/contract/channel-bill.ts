import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, int, money, moment, ref, text } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import {
  extendShape,
  byId,
  byIdsWithReason,
  noData,
  recordOf,
  pageOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { channel } from '#modules/payments/contract/choices.ts'
import { menu } from '../module.ts'
import {
  channelBillSource,
  channelBillState,
  diffType,
  handleResult,
  reconcileItemState,
  tradeKind,
} from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** What a channel says of one day, and what we say of it. */
export const channelBill = entity(
  'channelBill',
  '渠道账单',
  { table: 'channel_bill', tenancy: 'company', title: 'checkDate', order: ['-checkDate', 'channel'] },
  {
    checkDate: day('账单日', { required: true }),
    channel: choice('渠道', channel, { required: true }),
    source: choice('来源', channelBillSource, { required: true, initial: 'pulled' }),
    localCount: int('系统笔数', { required: true, initial: 0, hiddenIn: ['filter'] }),
    localAmount: money('系统收款', { required: true, initial: 0, hiddenIn: ['filter'] }),
    localRefund: money('系统退款', { required: true, initial: 0, hiddenIn: ['filter'] }),
    channelCount: int('渠道笔数', { required: true, initial: 0, hiddenIn: ['filter'] }),
    channelAmount: money('渠道收款', { required: true, initial: 0, hiddenIn: ['filter'] }),
    channelRefund: money('渠道退款', { required: true, initial: 0, hiddenIn: ['filter'] }),
    diffCount: int('差异', { required: true, initial: 0 }),
    openCount: int('待处理', { required: true, initial: 0 }),
    pullTime: moment('获取时间', { hiddenIn: ['filter'] }),
    operatorName: text('操作人', { max: 40, searchable: true, hiddenIn: ['filter'] }),
    failReason: text('失败原因', { max: 200, searchable: true, hiddenIn: ['filter'] }),
    state: choice('状态', channelBillState, { required: true, initial: 'waiting' }),
  },
)

export type ChannelBill = Row<typeof channelBill>

const tradeFields = {
  billId: ref('账单', 'channelBill', {
    required: true,
    ...internalOnly,
    hiddenIn: ['table', 'form', 'sheet', 'detail'],
  }),
  checkDate: day('账单日', { required: true }),
  channel: choice('渠道', channel, { required: true }),
  kind: choice('交易类型', tradeKind, { required: true }),
  orderNo: text('订单号', { required: true, max: 64, searchable: true, wire: 'OrderId' }),
  refundNo: text('退款单号', { max: 64, searchable: true }),
  transactionId: text('渠道流水', { max: 64, searchable: true, hiddenIn: ['filter'] }),
}

/** One line of a channel's bill. */
export const channelBillLine = entity(
  'channelBillLine',
  '账单明细',
  { table: 'channel_bill_line', tenancy: 'company', title: 'orderNo', order: ['tradeTime', 'id'] },
  {
    ...tradeFields,
    amount: money('金额', { required: true }),
    channelState: text('渠道状态', { max: 30, hiddenIn: ['filter'] }),
    tradeTime: moment('交易时间', { hiddenIn: ['filter'] }),
    diffType: choice('差异', diffType),
  },
)

export type ChannelBillLine = Row<typeof channelBillLine>

/** One difference, until it is gone or somebody has dealt with it. */
export const reconcileItem = entity(
  'reconcileItem',
  '对账差异',
  { table: 'reconcile_item', tenancy: 'company', title: 'orderNo', order: ['-checkDate', '-id'] },
  {
    ...tradeFields,
    sourceName: text('收费对象', { max: 100, hiddenIn: ['filter'] }),
    localState: text('系统状态', { max: 20, hiddenIn: ['filter'] }),
    localAmount: money('系统金额', { required: true }),
    channelAmount: money('渠道金额', { required: true }),
    diffType: choice('差异类型', diffType, { required: true }),
    state: choice('处理状态', reconcileItemState, { required: true, initial: 'pending' }),
    handleResult: choice('处理结果', handleResult),
    handleNote: text('处理说明', { max: 200, hiddenIn: ['filter'] }),
    handlerName: text('处理人', { max: 40, hiddenIn: ['filter'] }),
    handleTime: moment('处理时间'),
  },
)

export type ReconcileItem = Row<typeof reconcileItem>

const permissions = menu.reconcile.permissions
const affectedEntities = ['channelBill', 'channelBillLine', 'reconcileItem']

const sumFields = [
  'localAmount',
  'localRefund',
  'channelAmount',
  'channelRefund',
  'diffCount',
  'openCount',
] as const

export const channelBillFilters = [
  'checkDate',
  'channel',
  'source',
  'state',
  'diffCount',
  'openCount',
] as const
export const channelBillLineFilters = [
  'billId',
  'checkDate',
  'channel',
  'kind',
  'amount',
  'diffType',
] as const

export const reconcileItemFilters = [
  'billId',
  'checkDate',
  'channel',
  'kind',
  'diffType',
  'state',
  'handleResult',
  'localAmount',
  'channelAmount',
  'handleTime',
] as const

export const listChannelBills = call({
  route: 'GET finance/v1/Reconcile/Get',
  title: '查询渠道对账',
  needs: permissions.view,
  input: search(channelBill, channelBillFilters),
  output: pageOf(channelBill, { sums: [...sumFields] }),
})

export const getChannelBill = call({
  route: 'GET finance/v1/Reconcile/GetOne',
  title: '查看渠道对账',
  needs: permissions.view,
  input: byId,
  output: recordOf(channelBill),
})

export const listChannelBillLines = call({
  route: 'GET finance/v1/Reconcile/GetLines',
  title: '查询渠道账单明细',
  needs: permissions.view,
  input: search(channelBillLine, channelBillLineFilters),
  output: pageOf(channelBillLine, { sums: ['amount'] }),
})

export const listReconcileItems = call({
  route: 'GET finance/v1/Reconcile/GetItems',
  title: '查询对账差异',
  needs: permissions.view,
  input: search(reconcileItem, reconcileItemFilters),
  output: pageOf(reconcileItem, { sums: ['localAmount', 'channelAmount'] }),
})

const { checkDate, channel: channelField } = channelBill.fields

/** Fetches the channel's bill of a day and compares; again is the same. */
export const pullChannelBill = call({
  route: 'POST finance/v1/Reconcile/PostPull',
  title: '获取渠道账单',
  needs: permissions.pull,
  input: shape({ checkDate, channel: channelField }),
  output: recordOf(channelBill),
  affects: affectedEntities,
})

/** The file that a person has downloaded at the channel: csv, xlsx, or the zip as it came. */
export const importChannelBill = call({
  route: 'POST finance/v1/Reconcile/PostImport',
  title: '导入渠道账单',
  needs: permissions.import,
  upload: 20 * 1024 * 1024,
  input: shape({ checkDate, channel: channelField }),
  output: recordOf(channelBill),
  affects: affectedEntities,
})

/** Compares again with what has been booked since. */
export const recheckChannelBill = call({
  route: 'POST finance/v1/Reconcile/PostCheck',
  title: '重新核对',
  needs: permissions.pull,
  input: byId,
  output: recordOf(channelBill),
  affects: affectedEntities,
})

export const handleReconcileItems = call({
  route: 'PUT finance/v1/Reconcile/PutHandle',
  title: '处理对账差异',
  needs: permissions.handle,
  input: extendShape(byIdsWithReason, { handleResult: choice('处理结果', handleResult, { required: true }) }),
  output: noData,
  affects: affectedEntities,
})

/** To those responsible for refunds and the company. */
export const escalateReconcileItems = call({
  route: 'PUT finance/v1/Reconcile/PutEscalate',
  title: '升级对账差异',
  needs: permissions.handle,
  input: byIdsWithReason,
  output: noData,
  affects: affectedEntities,
})

export const reconcileItemColumns = sheetColumns(reconcileItem.fields, [
  'checkDate',
  'channel',
  'kind',
  'orderNo',
  'refundNo',
  'transactionId',
  'sourceName',
  'localState',
  'localAmount',
  'channelAmount',
  'diffType',
  'state',
  'handleResult',
  'handleNote',
  'handlerName',
  'handleTime',
])

export const exportReconcileItems = declareExport({
  route: 'GET finance/v1/Reconcile/GetItemsExport',
  title: '导出对账差异',
  needs: permissions.export,
  list: listReconcileItems,
})

export const channelBillLineColumns = sheetColumns(channelBillLine.fields, [
  'checkDate',
  'channel',
  'kind',
  'tradeTime',
  'orderNo',
  'refundNo',
  'transactionId',
  'amount',
  'channelState',
  'diffType',
])

export const exportChannelBillLines = declareExport({
  route: 'GET finance/v1/Reconcile/GetLinesExport',
  title: '导出渠道账单明细',
  needs: permissions.export,
  list: listChannelBillLines,
})
