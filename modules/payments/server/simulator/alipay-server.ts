import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan, readYuan } from '#kit/domain/money.ts'
import { fromInstant, toInstant, type Moment } from '#kit/domain/moment.ts'
import { signAlipayParams, verifyAlipayParams } from '../channels/alipay-signature.ts'
import { parseJsonMessage } from '../channels/json-message.ts'
import { sign } from '../channels/wechat-signature.ts'
import {
  countQuery,
  openRefund,
  refundedAmount,
  type SimulatorContext,
  type SimulatorNotification,
} from './context.ts'
import type { Order } from './order-store.ts'

interface AlipayContent {
  out_trade_no?: string
  total_amount?: string
  subject?: string
  auth_code?: string
  time_expire?: Moment
  refund_amount?: string
  out_request_no?: string
  bill_type?: string
  bill_date?: Day
}

type Params = Readonly<Record<string, string>>

const contentOf = (params: Params): AlipayContent =>
  parseJsonMessage<AlipayContent>(params.biz_content ?? '{}')

const tradeStatuses: Readonly<Record<Order['state'], string>> = {
  NOTPAY: 'WAIT_BUYER_PAY',
  USERPAYING: 'WAIT_BUYER_PAY',
  PAYERROR: 'WAIT_BUYER_PAY',
  CLOSED: 'TRADE_CLOSED',
  SUCCESS: 'TRADE_SUCCESS',
  REFUND: 'TRADE_SUCCESS',
}

const orderContent = (order: Order): Record<string, string> => ({
  out_trade_no: order.orderNo,
  trade_status: tradeStatuses[order.state],
  ...(order.transactionId && order.paid !== undefined
    ? {
        trade_no: order.transactionId,
        total_amount: formatYuan(order.paid),
        send_pay_date: fromInstant(defined(order.paidAt)),
      }
    : {}),
})

const refusal = (sub_code: string, sub_msg: string): object => ({
  code: '40004',
  msg: 'Business Failed',
  sub_code,
  sub_msg,
})

const success = (content: object): object => ({ code: '10000', msg: 'Success', ...content })

/** The order that a request opens or asks for again; a refusal where it names another one. */
function openOrder({ orderStore, clock }: SimulatorContext, params: Params): Order | object {
  const content = contentOf(params)
  const known = orderStore.orders.get(content.out_trade_no ?? '')
  const amount = readYuan(content.total_amount ?? '')
  if (!content.out_trade_no || !amount || amount <= 0) return refusal('ACQ.INVALID_PARAMETER', '参数无效')
  if (known?.state === 'NOTPAY' && known.method === params.method && known.amount === amount) return known
  if (known)
    return known.state === 'SUCCESS'
      ? refusal('ACQ.TRADE_HAS_SUCCESS', '交易已被支付')
      : refusal('ACQ.TRADE_HAS_CLOSE', '交易已经关闭')
  return orderStore.add({
    orderNo: content.out_trade_no,
    channel: 'alipay',
    title: content.subject ?? '',
    amount,
    notifyUrl: params.notify_url ?? '',
    expires: content.time_expire ? toInstant(content.time_expire) : clock() + 900_000,
    method: params.method ?? '',
  })
}

const isOrder = (opened: Order | object): opened is Order => 'pageKey' in opened

function precreate(context: SimulatorContext, params: Params): object {
  const opened = openOrder(context, params)
  return isOrder(opened)
    ? success({ out_trade_no: opened.orderNo, qr_code: context.phoneUrl(opened) })
    : opened
}

/** What the code ends in decides, so that every outcome can be had without a phone. */
function payByAuthCode(context: SimulatorContext, params: Params): object {
  const { orderStore } = context
  const order = openOrder(context, params)
  const authCode = contentOf(params).auth_code ?? ''
  if (!isOrder(order)) return order
  if (!/^(2[5-9]|30)\d{14,22}$/.test(authCode))
    return refusal('ACQ.PAYMENT_AUTH_CODE_INVALID', '付款码无效，请刷新后重新扫码')
  if (authCode.endsWith('9')) {
    order.state = 'PAYERROR'
    orderStore.save()
    return refusal('ACQ.BUYER_BALANCE_NOT_ENOUGH', '余额不足，请更换付款方式')
  }
  if (authCode.endsWith('8')) {
    order.state = 'USERPAYING'
    orderStore.save()
    return { code: '10003', msg: 'order success pay inprocess', out_trade_no: order.orderNo }
  }
  orderStore.markPaid(order)
  return success({ ...orderContent(order), gmt_payment: fromInstant(defined(order.paidAt)) })
}

function describeBill({ billStore, baseUrl }: SimulatorContext, content: AlipayContent): object {
  if (content.bill_type !== 'trade' || !content.bill_date) return refusal('isp.invalid-parameter', '参数无效')
  const day = content.bill_date
  if (billStore.isLate('alipay', day)) return refusal('isp.bill_not_ready', '账单尚未生成')
  return billStore.lines('alipay', day).length
    ? success({
        bill_download_url: `${baseUrl()}/bill/alipay?token=${billStore.createToken('alipay', day)}`,
      })
    : refusal('isp.bill_not_exist', '账单不存在')
}

function closeOrder({ orderStore }: SimulatorContext, order: Order, isCancel: boolean): object {
  if (order.state === 'SUCCESS' && !isCancel)
    return refusal('ACQ.REASON_TRADE_STATUS_INVALID', '交易状态不合法')
  if (order.state !== 'SUCCESS' && order.state !== 'REFUND') {
    order.state = 'CLOSED'
    orderStore.save()
  }
  return success({ out_trade_no: order.orderNo })
}

function queryRefund({ orderStore }: SimulatorContext, order: Order, refundNo: string): object {
  const found = order.refunds[refundNo]
  if (!found) return success({})
  countQuery(found)
  orderStore.save()
  return success({
    out_request_no: refundNo,
    refund_amount: formatYuan(found.amount),
    ...(found.status === 'SUCCESS' ? { refund_status: 'REFUND_SUCCESS' } : {}),
  })
}

function refund(context: SimulatorContext, order: Order, content: AlipayContent): object {
  const refundNo = content.out_request_no ?? ''
  const isKnown = refundNo in order.refunds
  const amount = readYuan(content.refund_amount ?? '') ?? 0
  if (!isKnown && order.state !== 'SUCCESS' && order.state !== 'REFUND')
    return refusal('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')
  if (!isKnown && refundedAmount(order) + amount > (order.paid ?? 0))
    return refusal('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限')
  const opened = openRefund(context, order, refundNo, { id: refundNo, amount })
  return success({
    out_trade_no: order.orderNo,
    fund_change: opened.status === 'SUCCESS' ? 'Y' : 'N',
    refund_fee: formatYuan(opened.amount),
  })
}

type OrderOperation = (context: SimulatorContext, order: Order, content: AlipayContent) => object

const orderOperations: Readonly<Record<string, OrderOperation>> = {
  'alipay.trade.query': (_, order) => success(orderContent(order)),
  'alipay.trade.close': (context, order) => closeOrder(context, order, false),
  'alipay.trade.cancel': (context, order) => closeOrder(context, order, true),
  'alipay.trade.refund': refund,
  'alipay.trade.fastpay.refund.query': (context, order, content) =>
    queryRefund(context, order, content.out_request_no ?? ''),
}

const isSigned = ({ keys }: SimulatorContext, params: Params): boolean =>
  params.app_id === keys.appId && verifyAlipayParams(params, keys.publicKey, { isCallback: false })

function handle(context: SimulatorContext, params: Params): object {
  if (!isSigned(context, params))
    return {
      code: '40002',
      msg: 'Invalid Arguments',
      sub_code: 'isv.invalid-signature',
      sub_msg: '无效签名',
    }
  const content = contentOf(params)
  const { method = '' } = params
  if (method === 'alipay.trade.precreate') return precreate(context, params)
  if (method === 'alipay.trade.pay') return payByAuthCode(context, params)
  if (method === 'alipay.data.dataservice.bill.downloadurl.query') return describeBill(context, content)
  const order = context.orderStore.orders.get(content.out_trade_no ?? '')
  if (!order) return refusal('ACQ.TRADE_NOT_EXIST', '交易不存在')
  return orderOperations[method]?.(context, order, content) ?? refusal('isv.method-not-exist', '没有该接口')
}

/** The order of a phone that comes by a page address. */
function openPage(context: SimulatorContext, query: URLSearchParams): Order | undefined {
  const params = Object.fromEntries(query)
  if (params.method !== 'alipay.trade.wap.pay' || !isSigned(context, params)) return undefined
  const opened = openOrder(context, params)
  if (!isOrder(opened)) return context.orderStore.orders.get(contentOf(params).out_trade_no ?? '')
  opened.returnUrl = params.return_url
  return opened
}

function notification({ keys, clock }: SimulatorContext, order: Order): SimulatorNotification {
  const params = signAlipayParams(
    {
      ...orderContent(order),
      app_id: keys.appId,
      notify_id: `${order.orderNo}-${order.paidAt ?? 0}`,
      notify_time: fromInstant(clock()),
      notify_type: 'trade_status_sync',
      charset: 'utf-8',
      version: '1.0',
      gmt_payment: fromInstant(order.paidAt ?? clock()),
    },
    keys.platformPrivate,
  )
  return {
    body: new URLSearchParams({ ...params, sign_type: 'RSA2' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
  }
}

function orderNoOf(body: string): string {
  try {
    return contentOf(Object.fromEntries(new URLSearchParams(body))).out_trade_no ?? ''
  } catch {
    return ''
  }
}

/** The other end of Alipay's open gateway. */
export const createAlipayServer = (context: SimulatorContext) => ({
  openPage: (query: URLSearchParams): Order | undefined => openPage(context, query),
  answer: (body: string): string => {
    const params = Object.fromEntries(new URLSearchParams(body))
    const signedPart = JSON.stringify(handle(context, params))
    return `{"${(params.method ?? '').replaceAll('.', '_')}_response":${signedPart},"sign":"${sign(signedPart, context.keys.platformPrivate)}"}`
  },
  notification: (order: Order): SimulatorNotification => notification(context, order),
  orderNoOf,
})
