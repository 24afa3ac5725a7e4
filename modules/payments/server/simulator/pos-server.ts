import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, readYuan } from '#kit/domain/money.ts'
import { dayOfInstant, fromInstant, toInstant, type Moment } from '#kit/domain/moment.ts'
import { parseJsonMessage } from '../channels/json-message.ts'
import { verifyAuthorization, buildSignatureHeaders } from '../channels/wechat-signature.ts'
import {
  countQuery,
  openRefund,
  refundedAmount,
  type SimulatorContext,
  type SimulatorNotification,
  type SimulatorResponse,
} from './context.ts'
import type { Order } from './order-store.ts'

interface PosRequest {
  mchId?: string
  orderNo?: string
  amount?: string
  title?: string
  expires?: Moment
  terminalNo?: string
  notifyUrl?: string
  refundNo?: string
  day?: Day
}

const stateNames: Readonly<Record<Order['state'], string>> = {
  NOTPAY: 'SENT',
  USERPAYING: 'SENT',
  SUCCESS: 'SUCCESS',
  REFUND: 'SUCCESS',
  PAYERROR: 'DECLINED',
  CLOSED: 'CANCELLED',
}

const seconds = ({ clock }: SimulatorContext): number => Math.floor(clock() / 1000)

const signatureHeaders = (context: SimulatorContext, body: string): Readonly<Record<string, string>> =>
  buildSignatureHeaders(body, context.keys.platformPrivate, context.keys.platformSerial, seconds(context))

function respond(context: SimulatorContext, status: number, content: object): SimulatorResponse {
  const body = JSON.stringify(content)
  return {
    status,
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...signatureHeaders(context, body),
    },
  }
}

const refuse = (context: SimulatorContext, code: string, message: string): SimulatorResponse =>
  respond(context, 400, { code, message })

const orderContent = ({ keys }: SimulatorContext, order: Order): object => ({
  mchId: keys.mchId,
  orderNo: order.orderNo,
  state: stateNames[order.state],
  ...(order.state === 'PAYERROR' ? { message: '卡片被拒绝' } : {}),
  ...(order.paid === undefined
    ? {}
    : {
        traceNo: order.transactionId,
        amount: formatYuan(order.paid),
        card: order.card ?? 'debit',
        paidAt: fromInstant(defined(order.paidAt)),
      }),
})

const refundContent = (refundNo: string, refund: Order['refunds'][string]): object => ({
  refundNo,
  refundState: refund.status === 'SUCCESS' ? 'SUCCESS' : 'PROCESSING',
  traceNo: refund.id,
})

type Operation = (
  context: SimulatorContext,
  request: PosRequest,
  order: Order | undefined,
) => SimulatorResponse

const sale: Operation = (context, request, order) => {
  const { orderStore, clock } = context
  const { orderNo, terminalNo } = request
  const amount = readYuan(request.amount ?? '')
  if (!orderNo || !terminalNo || !amount || amount <= 0) return refuse(context, 'PARAM_ERROR', '参数错误')
  if (terminalNo.endsWith('0000')) return refuse(context, 'TERMINAL_OFFLINE', '终端不在线，请检查 POS 机网络')
  if (order && (order.amount !== amount || order.terminal !== terminalNo))
    return refuse(context, 'PARAM_ERROR', '订单号重复')
  const opened =
    order ??
    orderStore.add({
      orderNo,
      channel: 'pos',
      title: request.title ?? '',
      amount,
      notifyUrl: request.notifyUrl ?? '',
      expires: request.expires ? toInstant(request.expires) : clock() + 900_000,
      method: 'sale',
      terminal: terminalNo,
    })
  return respond(context, 200, orderContent(context, opened))
}

const query: Operation = (context, _, order) =>
  order
    ? respond(context, 200, orderContent(context, order))
    : refuse(context, 'ORDER_NOT_EXIST', '订单不存在')

const cancel: Operation = (context, _, order) => {
  if (!order) return refuse(context, 'ORDER_NOT_EXIST', '订单不存在')
  if (order.state === 'SUCCESS' || order.state === 'REFUND')
    return refuse(context, 'ORDER_PAID', '已经刷卡成功')
  order.state = 'CLOSED'
  context.orderStore.save()
  return respond(context, 200, orderContent(context, order))
}

const refund: Operation = (context, request, order) => {
  const { clock } = context
  const amount = readYuan(request.amount ?? '') ?? 0
  const refundNo = request.refundNo ?? ''
  if (!order || !refundNo || amount <= 0) return refuse(context, 'PARAM_ERROR', '参数错误')
  if (order.state !== 'SUCCESS' && order.state !== 'REFUND')
    return refuse(context, 'NOT_PAID', '订单刷卡失败')
  if (!(refundNo in order.refunds) && refundedAmount(order) + amount > (order.paid ?? 0))
    return refuse(context, 'REFUND_EXCEEDED', '退款金额超过可退金额')
  const isSameDay = dayOfInstant(clock()) === dayOfInstant(defined(order.paidAt))
  const id = `${isSameDay ? 'VOID' : 'RFND'}${clock()}${Object.keys(order.refunds).length}`
  const opened = openRefund(context, order, refundNo, { id, amount })
  return respond(context, 200, refundContent(refundNo, opened))
}

const queryRefund: Operation = (context, { refundNo = '' }) => {
  const { orders, save } = context.orderStore
  const order = [...orders.values()].find(
    candidate => candidate.channel === 'pos' && refundNo in candidate.refunds,
  )
  const known = order?.refunds[refundNo]
  if (!known) return refuse(context, 'REFUND_NOT_EXIST', '退款单不存在')
  countQuery(known)
  save()
  return respond(context, 200, refundContent(refundNo, known))
}

const bill: Operation = (context, { day }) => {
  const { billStore } = context
  if (!day) return refuse(context, 'BILL_EMPTY', '没有交易')
  if (billStore.isLate('pos', day)) return refuse(context, 'BILL_NOT_READY', '账单尚未生成')
  return billStore.lines('pos', day).length
    ? respond(context, 200, { bill: billStore.posFile(day) })
    : refuse(context, 'BILL_EMPTY', '没有交易')
}

const operations: Readonly<Record<string, Operation>> = {
  sale,
  query,
  cancel,
  refund,
  'refund-query': queryRefund,
  bill,
}

function answer(
  context: SimulatorContext,
  path: string,
  authorization: string,
  body: string,
): SimulatorResponse {
  const { keys, orderStore } = context
  const caller = verifyAuthorization(authorization, 'POST', path, body, keys.publicKey)
  const request = body ? parseJsonMessage<PosRequest>(body) : {}
  if (
    !caller ||
    caller.mchid !== keys.mchId ||
    caller.serial_no !== keys.serialNo ||
    Math.abs(Number(caller.timestamp) - seconds(context)) > 300 ||
    request.mchId !== keys.mchId
  )
    return respond(context, 401, { code: 'SIGN_ERROR', message: '签名错误' })
  const operation = operations[path.replace('/pos/v1/', '')]
  const order = orderStore.orders.get(request.orderNo ?? '')
  return operation
    ? operation(context, request, order?.channel === 'pos' ? order : undefined)
    : refuse(context, 'PARAM_ERROR', '没有该接口')
}

function notification(context: SimulatorContext, order: Order): SimulatorNotification {
  const body = JSON.stringify(orderContent(context, order))
  return { body, headers: { 'content-type': 'application/json', ...signatureHeaders(context, body) } }
}

/**
 * The acquirer's cloud service behind the card terminals: checks the caller and signs its responses
 * (docs/pos-protocol.md).
 */
export const createPosServer = (context: SimulatorContext) => ({
  answer: (path: string, authorization: string, body: string): SimulatorResponse =>
    answer(context, path, authorization, body),
  notification: (order: Order): SimulatorNotification => notification(context, order),
  orderNoOf: (body: string): string => /"orderNo":"([^"]+)"/.exec(body)?.[1] ?? '',
})
