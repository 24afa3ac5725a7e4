import { defined } from '#kit/domain/defined.ts'
import { isDay } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import { parseJsonMessage } from '../channels/json-message.ts'
import { verifyAuthorization, encryptResource, buildSignatureHeaders } from '../channels/wechat-signature.ts'
import {
  countQuery,
  openRefund,
  refundedAmount,
  type SimulatorContext,
  type SimulatorNotification,
  type SimulatorResponse,
} from './context.ts'
import type { Order } from './order-store.ts'

interface WechatRequest {
  description?: string
  out_trade_no?: string
  out_refund_no?: string
  notify_url?: string
  mchid?: string
  appid?: string
  time_expire?: string
  amount?: { total?: number; refund?: number }
  payer?: { auth_code?: string }
}

const seconds = ({ clock }: SimulatorContext): number => Math.floor(clock() / 1000)

const signatureHeaders = (context: SimulatorContext, body: string): Readonly<Record<string, string>> =>
  buildSignatureHeaders(body, context.keys.platformPrivate, context.keys.platformSerial, seconds(context))

function respond(context: SimulatorContext, status: number, content: object | undefined): SimulatorResponse {
  const body = content ? JSON.stringify(content) : ''
  return {
    status,
    body,
    headers: {
      ...(body ? { 'content-type': 'application/json; charset=utf-8' } : {}),
      ...signatureHeaders(context, body),
    },
  }
}

const refuse = (
  context: SimulatorContext,
  status: number,
  code: string,
  message: string,
): SimulatorResponse => respond(context, status, { code, message })

const orderContent = ({ keys }: SimulatorContext, order: Order): object => ({
  appid: keys.appId,
  mchid: keys.mchId,
  out_trade_no: order.orderNo,
  trade_state: order.state,
  trade_state_desc: order.state === 'PAYERROR' ? '余额不足' : '',
  ...(order.transactionId && order.paid !== undefined
    ? {
        transaction_id: order.transactionId,
        success_time: new Date(defined(order.paidAt)).toISOString(),
        amount: { total: order.paid, currency: 'CNY' },
      }
    : {}),
})

/** The last digit of the code chooses the outcome, so that each can be tried without a phone. */
function payByAuthCode(context: SimulatorContext, order: Order, authCode: string): SimulatorResponse {
  const { orderStore } = context
  if (!/^1[0-5]\d{16}$/.test(authCode))
    return refuse(context, 400, 'AUTH_CODE_INVALID', '付款码无效，请刷新后重新扫码')
  if (authCode.endsWith('9')) {
    order.state = 'PAYERROR'
    orderStore.save()
    return refuse(context, 403, 'NOTENOUGH', '余额不足，请更换付款方式')
  }
  if (authCode.endsWith('8')) {
    order.state = 'USERPAYING'
    orderStore.save()
    return refuse(context, 202, 'USERPAYING', '需要用户输入支付密码')
  }
  orderStore.markPaid(order)
  return respond(context, 200, orderContent(context, order))
}

function refuseKnownOrder(context: SimulatorContext, order: Order): SimulatorResponse {
  if (order.state === 'SUCCESS') return refuse(context, 400, 'ORDERPAID', '订单已支付')
  return order.state === 'CLOSED'
    ? refuse(context, 400, 'ORDER_CLOSED', '订单已关闭')
    : refuse(context, 400, 'OUT_TRADE_NO_USED', '商户订单号重复')
}

function prepay(context: SimulatorContext, method: string, request: WechatRequest): SimulatorResponse {
  const { keys, orderStore, clock, phoneUrl } = context
  const total = request.amount?.total
  if (!request.out_trade_no || !total || request.appid !== keys.appId || request.mchid !== keys.mchId)
    return refuse(context, 400, 'PARAM_ERROR', '参数错误')
  const known = orderStore.orders.get(request.out_trade_no)
  if (known && (known.method !== method || known.amount !== total || known.state !== 'NOTPAY'))
    return refuseKnownOrder(context, known)
  const order =
    known ??
    orderStore.add({
      orderNo: request.out_trade_no,
      channel: 'wechat',
      title: request.description ?? '',
      amount: asFen(total),
      notifyUrl: request.notify_url ?? '',
      expires: Date.parse(request.time_expire ?? '') || clock() + 900_000,
      method,
    })
  if (method === 'h5') return respond(context, 200, { h5_url: phoneUrl(order) })
  if (method === 'native') return respond(context, 200, { code_url: phoneUrl(order) })
  return payByAuthCode(context, order, request.payer?.auth_code ?? '')
}

/** Queries, closes (`close`) or takes back (`reverse`) an order. */
function handleOrder(
  context: SimulatorContext,
  orderNo: string,
  operation: string | undefined,
): SimulatorResponse {
  const order = context.orderStore.orders.get(orderNo)
  if (!order) return refuse(context, 404, 'ORDER_NOT_EXIST', '订单不存在')
  if (operation === undefined) return respond(context, 200, orderContent(context, order))
  if (order.state === 'SUCCESS' && operation === 'close')
    return refuse(context, 400, 'ORDERPAID', '订单已支付')
  if (order.state === 'NOTPAY' || order.state === 'USERPAYING' || order.state === 'PAYERROR') {
    order.state = 'CLOSED'
    context.orderStore.save()
  }
  return operation === 'close'
    ? respond(context, 204, undefined)
    : respond(context, 200, { out_trade_no: order.orderNo, recall: 'N' })
}

/** Refunds, or queries the refund whose number is in the path. */
function handleRefund(
  context: SimulatorContext,
  queriedNo: string | undefined,
  request: WechatRequest,
): SimulatorResponse {
  const { orders, save } = context.orderStore
  const refundNo = queriedNo ?? request.out_refund_no ?? ''
  const order = queriedNo
    ? [...orders.values()].find(candidate => refundNo in candidate.refunds)
    : orders.get(request.out_trade_no ?? '')
  if (!order || (queriedNo && !order.refunds[refundNo]))
    return refuse(context, 404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
  const isKnown = refundNo in order.refunds
  const amount = asFen(request.amount?.refund ?? 0)
  if (!isKnown && order.state !== 'SUCCESS' && order.state !== 'REFUND')
    return refuse(context, 400, 'INVALID_REQUEST', '订单支付失败')
  if (!isKnown && refundedAmount(order) + amount > (order.paid ?? 0))
    return refuse(context, 400, 'REFUND_AMOUNT_EXCEED', '退款金额超过可退金额')
  const id = `50${context.clock()}${Object.keys(order.refunds).length}`
  const refund = openRefund(context, order, refundNo, { id, amount })
  if (queriedNo) {
    countQuery(refund)
    save()
  }
  return respond(context, 200, {
    refund_id: refund.id,
    out_refund_no: refundNo,
    out_trade_no: order.orderNo,
    status: refund.status,
  })
}

function describeBill(context: SimulatorContext, path: string): SimulatorResponse {
  const { billStore, baseUrl } = context
  const query = new URL(path, 'http://loopback').searchParams
  const day = query.get('bill_date') ?? ''
  if (query.get('bill_type') !== 'ALL' || query.get('tar_type') !== 'GZIP' || !isDay(day))
    return refuse(context, 400, 'PARAM_ERROR', '参数错误')
  if (billStore.isLate('wechat', day))
    return refuse(context, 400, 'STATEMENT_CREATING', '账单生成中，请稍后再试')
  return billStore.lines('wechat', day).length
    ? respond(context, 200, {
        hash_type: 'SHA1',
        hash_value: billStore.hashOf(day),
        download_url: `${baseUrl()}/v3/billdownload/file?token=${billStore.createToken('wechat', day)}`,
      })
    : refuse(context, 400, 'NO_STATEMENT_EXIST', '账单文件不存在')
}

function answer(
  context: SimulatorContext,
  method: string,
  path: string,
  authorization: string,
  body: string,
): SimulatorResponse {
  const { keys } = context
  const caller = verifyAuthorization(authorization, method, path, body, keys.publicKey)
  if (
    !caller ||
    caller.mchid !== keys.mchId ||
    caller.serial_no !== keys.serialNo ||
    Math.abs(Number(caller.timestamp) - seconds(context)) > 300
  )
    return refuse(context, 401, 'SIGN_ERROR', '签名错误')
  const request = body ? parseJsonMessage<WechatRequest>(body) : {}
  const [pathname = ''] = path.split('?')
  const [, prepayMethod] = /^\/v3\/pay\/transactions\/(native|h5|codepay)$/.exec(pathname) ?? []
  if (prepayMethod) return prepay(context, prepayMethod, request)
  const [, orderNo, operation] =
    /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(?:\/(close|reverse))?$/.exec(pathname) ?? []
  if (orderNo) return handleOrder(context, decodeURIComponent(orderNo), operation)
  if (pathname.startsWith('/v3/refund/')) {
    const [, refundNo] = /^\/v3\/refund\/domestic\/refunds(?:\/([^/]+))?$/.exec(pathname) ?? []
    return handleRefund(context, refundNo && decodeURIComponent(refundNo), request)
  }
  return pathname === '/v3/bill/tradebill'
    ? describeBill(context, path)
    : refuse(context, 404, 'RESOURCE_NOT_EXISTS', '没有该接口')
}

function notification(context: SimulatorContext, order: Order): SimulatorNotification {
  const body = JSON.stringify({
    id: `EV-${order.orderNo}`,
    create_time: new Date(context.clock()).toISOString(),
    event_type: 'TRANSACTION.SUCCESS',
    resource_type: 'encrypt-resource',
    resource: encryptResource(JSON.stringify(orderContent(context, order)), context.keys.apiKey),
  })
  return { body, headers: { 'content-type': 'application/json', ...signatureHeaders(context, body) } }
}

/** The other end of WeChat Pay v3: it checks the caller and signs its responses. */
export const createWechatServer = (context: SimulatorContext) => ({
  answer: (method: string, path: string, authorization: string, body: string): SimulatorResponse =>
    answer(context, method, path, authorization, body),
  notification: (order: Order): SimulatorNotification => notification(context, order),
  /** A bill is downloaded only with a valid signature. */
  canFetchBill: (path: string, authorization: string): boolean =>
    verifyAuthorization(authorization, 'GET', path, '', context.keys.publicKey)?.mchid === context.keys.mchId,
  orderNoOf: (path: string, body: string): string =>
    decodeURIComponent(
      /out-trade-no\/([^/?]+)/.exec(path)?.[1] ?? /"out_trade_no":"([^"]+)"/.exec(body)?.[1] ?? '',
    ),
})
