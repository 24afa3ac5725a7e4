import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, lines, list, moment, money, text } from '#kit/contract/field.ts'
import { byId, recordOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { channel, notifySource, orderState, orderType, payMethod, payType } from './choices.ts'
import { recordWithDetails } from './record.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

export const orderLine = {
  billId: idOf('账单', { required: true, wire: 'BillID' }),
  principal: money('本金', { required: true }),
  late: money('违约金', { required: true }),
  off: money('抹零'),
}

/** What waits for money from a channel, and how it went (C5.1). */
export const payOrder = entity(
  'payOrder',
  '支付单',
  { table: 'pay_order', tenancy: 'project', title: 'orderNo', order: ['-id'] },
  {
    projectCode: estateField(),
    orderNo: text('订单号', { required: true, max: 30, searchable: true, wire: 'OrderId' }),
    /** What the channel knows it by; an order without one goes by its number. */
    tradeNo: text('商户订单号', { max: 40, hiddenIn: ['table', 'form', 'filter'], searchable: true }),
    orderType: choice('业务类型', orderType, { required: true }),
    payType: choice('支付通道', payType),
    payMethod: choice('支付方式', payMethod),
    amount: money('订单金额', { required: true, wire: 'OrderAmount' }),
    orderObj: text('收费对象', { required: true, max: 100, searchable: true }),
    orderBody: text('缴费内容', { required: true, max: 200 }),
    orderMain: text('收款方', { required: true, max: 80 }),
    payerKind: choice('缴费人类别', payerSide, { hiddenIn: ['table', 'filter'] }),
    payerId: idOf('缴费人', { wire: 'PayerID', hiddenIn: ['table', 'filter', 'detail'] }),
    payerName: text('缴费人', { max: 80 }),
    lines: lines('账单明细', orderLine, { max: 500, wire: 'BillJson', hiddenIn: ['table', 'filter'] }),
    refType: text('业务来源', { max: 30, ...internalOnly }),
    refId: idOf('业务编号', { wire: 'RefID', ...internalOnly }),
    channel: choice('渠道', channel),
    terminalNo: text('POS 终端号', { max: 20, hiddenIn: ['table', 'form', 'filter'] }),
    transactionId: text('渠道流水', { max: 64, searchable: true }),
    codeUrl: text('二维码内容', { max: 500, ...internalOnly }),
    scanTime: moment('扫码时间', { hiddenIn: ['filter', 'table'] }),
    expireTime: moment('过期时间', { required: true, hiddenIn: ['filter'] }),
    queryTime: moment('下次查询', internalOnly),
    paidTime: moment('支付时间'),
    notifySource: choice('确认来源', notifySource),
    failReason: text('失败原因', { max: 200, hiddenIn: ['filter'] }),
    recordId: idOf('收款记录', { wire: 'RecordID', hiddenIn: ['table', 'filter'] }),
    cashierId: idOf('收费员', { wire: 'CashierID', hiddenIn: ['table', 'filter', 'detail'] }),
    cashierName: text('收费员', { max: 40 }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', orderState, {
      required: true,
      initial: 'waiting',
      struckOut: ['closed', 'failed'],
    }),
  },
)

export type PayOrder = Row<typeof payOrder>

const orderNoField = text('订单号', { required: true, max: 30, wire: 'OrderId' })

const {
  orderType: orderTypeField,
  payType: payTypeField,
  amount,
  orderObj,
  orderBody,
  orderMain,
  payerName,
  state,
  scanTime,
  expireTime,
  paidTime,
  recordId,
  failReason,
  payMethod: payMethodField,
  channel: channelField,
  createTime,
} = payOrder.fields

/**
 * What the payment dialog shows and polls. `url` is what its picture holds, without our own address in front.
 */
export const orderShape = shape({
  id: idOf('编号', { required: true, wire: 'ID' }),
  orderNo: orderNoField,
  orderType: orderTypeField,
  amount,
  orderObj,
  orderBody,
  orderMain,
  payerName,
  url: text('支付链接', { required: true, wire: 'PayUrl' }),
  state,
  payState: int('是否已付', { required: true, wire: 'PayState' }),
  createTime,
  scanTime,
  expireTime,
  paidTime,
  channel: channelField,
  payMethod: payMethodField,
  recordId,
  failReason,
  /** Its bills go when it ends unpaid (TMP-2). */
  isPrepaid: flag('预缴', { required: true, wire: 'IsPre' }),
})

export type OrderView = NonNullable<typeof orderShape.T>
const permissions = menu.cashier.permissions
const affectedEntities = ['payOrder', 'bill', 'payRecord', 'asset', 'feeRelation']

/** PAY-1: holds the bills for fifteen minutes and returns the link for the phone. */
export const createOrder = call({
  route: 'POST Pay/GetPayUrl_PayCenter',
  title: '发起收款',
  needs: permissions.pay,
  output: orderShape,
  affects: ['payOrder', 'bill'],
  input: shape({
    projectCode: estateField<true>(),
    billIds: list('账单', { required: true, max: 500, wire: ['BillIDs', 'BillIds'] }),
    expectAmount: money('应缴合计', {
      required: true,
      min: 0,
      help: '页面显示的本金与违约金合计；与当前不符时不发起',
    }),
    payerKind: payOrder.fields.payerKind,
    payerId: payOrder.fields.payerId,
    payerName,
    remark: payOrder.fields.remark,
  }),
})

// Which permission an order needs depends on what it is for: bills need that of the cashier, other subjects
// their own (server/order-subjects.ts).
export const getPayLink = call({
  route: 'GET Payment/H5Link',
  title: '支付链接',
  needs: everyone,
  input: shape({ orderNo: orderNoField }),
  output: orderShape,
})

/** Polled each second while the dialog is open; asks the channel too, not oftener than every two seconds. */
export const pollOrder = call({
  route: 'GET Payment/getscanstate',
  aliases: ['GET Payment/CheckScanStateNew'],
  title: '查询支付状态',
  needs: everyone,
  input: shape({ orderNo: orderNoField }),
  output: orderShape,
})

/** Asks the channel at once, whatever was asked before. */
export const queryOrder = call({
  route: 'POST finance/v1/PayOrder/PostQuery',
  title: '手动查询支付',
  needs: everyone,
  input: shape({ orderNo: orderNoField }),
  output: orderShape,
  affects: affectedEntities,
})

/** PAY-8: the code on the payer's phone, read by a scanner; kept nowhere. */
export const payByAuthCode = call({
  route: 'POST Payment/GetPay',
  aliases: ['POST Payment/GetPay_PayCenter'],
  title: '付款码收款',
  needs: everyone,
  output: orderShape,
  affects: affectedEntities,
  input: shape({
    orderNo: orderNoField,
    authCode: text('付款码', { max: 40, masked: 'secret' }),
    orderType: { ...orderTypeField, required: false as const },
    payType: payTypeField,
  }),
})

const qrCodeShape = shape({ codeUrl: text('二维码内容', { required: true }) })

export const createWechatCode = call({
  route: 'POST Payment/GetWxPay',
  title: '微信收款码',
  needs: everyone,
  input: shape({ orderNo: orderNoField }),
  output: qrCodeShape,
  affects: ['payOrder'],
})

export const createAlipayCode = call({
  route: 'POST Payment/GetAliPay',
  title: '支付宝收款码',
  needs: everyone,
  input: shape({ orderNo: orderNoField }),
  output: qrCodeShape,
  affects: ['payOrder'],
})

/** The bills are let go of; an order that a channel knows of only after the channel says it is not paid. */
export const closeOrder = call({
  route: 'PUT finance/v1/PayOrder/PutClose',
  title: '取消收款',
  needs: everyone,
  input: shape({ orderNo: orderNoField }),
  output: orderShape,
  affects: affectedEntities,
})

/** PAY-6, by a person: what the channel really got for an order held in 60 becomes the payer's prestore. */
export const acceptOrder = call({
  route: 'PUT finance/v1/PayOrder/PutAccept',
  title: '按实收转预存',
  needs: menu.refund.permissions.audit,
  input: shape({ orderNo: orderNoField }),
  output: orderShape,
  affects: affectedEntities,
})

export const getOrderRecord = call({
  route: 'GET Payment/GetRecord_wxPay',
  title: '支付单的收款记录',
  needs: everyone,
  input: shape({ orderNo: orderNoField }),
  output: shape(recordWithDetails),
})

export const listOrders = call({
  route: 'GET finance/v1/PayOrder/Get',
  title: '查询支付单',
  needs: menu.record.permissions.view,
  input: search(payOrder, [
    'orderType',
    'payType',
    'payMethod',
    'channel',
    'state',
    'amount',
    'createTime',
    'paidTime',
    'notifySource',
  ]),
  output: pageOf(payOrder, { sums: ['amount'] }),
})

export const getOrder = call({
  route: 'GET finance/v1/PayOrder/GetOne',
  title: '查看支付单',
  needs: menu.record.permissions.view,
  input: byId,
  output: recordOf(payOrder),
})
