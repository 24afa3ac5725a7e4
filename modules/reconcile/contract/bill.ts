import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, int, money, moment, ref, text } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { also, byId, byIdsWhy, nothing, oneOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { exports } from '#kit/contract/transfer.ts'
import { channel } from '#modules/payments/contract/choices.ts'
import { menu } from '../module.ts'
import { billSource, billState, diffType, handleResult, itemState, tradeKind } from './choices.ts'

const inside = { notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** What a channel says of one day, and what we say of it. */
export const channelBill = entity(
  'channelBill',
  '渠道账单',
  { table: 'channel_bill', reach: 'company', title: 'checkDate', order: ['-checkDate', 'channel'] },
  {
    checkDate: day('账单日', { required: true }),
    channel: choice('渠道', channel, { required: true }),
    source: choice('来源', billSource, { required: true, initial: 'pulled' }),
    localCount: int('本地笔数', { required: true, initial: 0, notIn: ['filter'] }),
    localAmount: money('本地收款', { required: true, initial: 0, notIn: ['filter'] }),
    localRefund: money('本地退款', { required: true, initial: 0, notIn: ['filter'] }),
    channelCount: int('渠道笔数', { required: true, initial: 0, notIn: ['filter'] }),
    channelAmount: money('渠道收款', { required: true, initial: 0, notIn: ['filter'] }),
    channelRefund: money('渠道退款', { required: true, initial: 0, notIn: ['filter'] }),
    diffCount: int('差异', { required: true, initial: 0 }),
    openCount: int('待处理', { required: true, initial: 0 }),
    pullTime: moment('取账单时间', { notIn: ['filter'] }),
    operatorName: text('操作人', { max: 40, notIn: ['filter'] }),
    failReason: text('失败原因', { max: 200, notIn: ['filter'] }),
    state: choice('状态', billState, { required: true, initial: 'waiting' }),
  },
)

export type ChannelBill = Row<typeof channelBill>

const trade = {
  billId: ref('账单', 'channelBill', {
    required: true,
    ...inside,
    notIn: ['table', 'form', 'sheet', 'detail'],
  }),
  checkDate: day('账单日', { required: true }),
  channel: choice('渠道', channel, { required: true }),
  kind: choice('交易类型', tradeKind, { required: true }),
  orderNo: text('订单号', { required: true, max: 64, sought: true, wire: 'OrderId' }),
  refundNo: text('退款单号', { max: 64, sought: true }),
  transactionId: text('渠道流水', { max: 64, sought: true, notIn: ['filter'] }),
}

/** One line of a channel's bill. */
export const billLine = entity(
  'channelBillLine',
  '账单明细',
  { table: 'channel_bill_line', reach: 'company', title: 'orderNo', order: ['tradeTime', 'id'] },
  {
    ...trade,
    amount: money('金额', { required: true }),
    channelState: text('渠道状态', { max: 30, notIn: ['filter'] }),
    tradeTime: moment('交易时间', { notIn: ['filter'] }),
    diffType: choice('差异', diffType),
  },
)

export type BillLine = Row<typeof billLine>

/** One difference, until it is gone or somebody has dealt with it. */
export const reconcileItem = entity(
  'reconcileItem',
  '对账差异',
  { table: 'reconcile_item', reach: 'company', title: 'orderNo', order: ['-checkDate', '-id'] },
  {
    ...trade,
    sourceName: text('缴费对象', { max: 100, notIn: ['filter'] }),
    localState: text('本地状态', { max: 20, notIn: ['filter'] }),
    localAmount: money('本地金额', { required: true }),
    channelAmount: money('渠道金额', { required: true }),
    diffType: choice('差异类型', diffType, { required: true }),
    state: choice('处理状态', itemState, { required: true, initial: 'pending' }),
    handleResult: choice('处理结果', handleResult),
    handleNote: text('处理说明', { max: 200, notIn: ['filter'] }),
    handlerName: text('处理人', { max: 40, notIn: ['filter'] }),
    handleTime: moment('处理时间'),
  },
)

export type ReconcileItem = Row<typeof reconcileItem>

const may = menu.reconcile.may
const touches = ['channelBill', 'channelBillLine', 'reconcileItem']

const money2 = [
  'localAmount',
  'localRefund',
  'channelAmount',
  'channelRefund',
  'diffCount',
  'openCount',
] as const

export const billFilters = ['checkDate', 'channel', 'source', 'state', 'diffCount', 'openCount'] as const
export const lineFilters = ['billId', 'checkDate', 'channel', 'kind', 'amount', 'diffType'] as const

export const itemFilters = [
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

export const listBills = call({
  at: 'GET finance/v1/Reconcile/Get',
  title: '查询渠道对账',
  needs: may.view,
  input: search(channelBill, billFilters),
  output: pageOf(channelBill, { sums: [...money2] }),
})

export const oneBill = call({
  at: 'GET finance/v1/Reconcile/GetOne',
  title: '查看渠道对账',
  needs: may.view,
  input: byId,
  output: oneOf(channelBill),
})

export const listLines = call({
  at: 'GET finance/v1/Reconcile/GetLines',
  title: '查询渠道账单明细',
  needs: may.view,
  input: search(billLine, lineFilters),
  output: pageOf(billLine, { sums: ['amount'] }),
})

export const listItems = call({
  at: 'GET finance/v1/Reconcile/GetItems',
  title: '查询对账差异',
  needs: may.view,
  input: search(reconcileItem, itemFilters),
  output: pageOf(reconcileItem, { sums: ['localAmount', 'channelAmount'] }),
})

const { checkDate, channel: which } = channelBill.fields

/** Fetches the channel's bill of a day and compares; again is the same. */
export const pullBill = call({
  at: 'POST finance/v1/Reconcile/PostPull',
  title: '拉取渠道账单',
  needs: may.pull,
  input: shape({ checkDate, channel: which }),
  output: oneOf(channelBill),
  affects: touches,
})

/** The file that a person has downloaded at the channel: csv, xlsx, or the zip as it came. */
export const importBill = call({
  at: 'POST finance/v1/Reconcile/PostImport',
  title: '导入渠道账单',
  needs: may.import,
  upload: 20 * 1024 * 1024,
  input: shape({ checkDate, channel: which }),
  output: oneOf(channelBill),
  affects: touches,
})

/** Compares again with what has been booked since. */
export const checkBill = call({
  at: 'POST finance/v1/Reconcile/PostCheck',
  title: '重新核对',
  needs: may.pull,
  input: byId,
  output: oneOf(channelBill),
  affects: touches,
})

export const handleItems = call({
  at: 'PUT finance/v1/Reconcile/PutHandle',
  title: '处理对账差异',
  needs: may.handle,
  input: also(byIdsWhy, { handleResult: choice('处理结果', handleResult, { required: true }) }),
  output: nothing,
  affects: touches,
})

/** To whoever answers for refunds and the company. */
export const escalateItems = call({
  at: 'PUT finance/v1/Reconcile/PutEscalate',
  title: '升级对账差异',
  needs: may.handle,
  input: byIdsWhy,
  output: nothing,
  affects: touches,
})

export const itemColumns = sheetColumns(reconcileItem.fields, [
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

export const exportItems = exports({
  at: 'GET finance/v1/Reconcile/GetItemsExport',
  title: '导出对账差异',
  needs: may.export,
  of: listItems,
})

export const lineColumns = sheetColumns(billLine.fields, [
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

export const exportLines = exports({
  at: 'GET finance/v1/Reconcile/GetLinesExport',
  title: '导出渠道账单明细',
  needs: may.export,
  of: listLines,
})
