import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDay } from '#kit/domain/day.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { createAlipayServer } from './alipay-server.ts'
import { channelOf } from './bill-store.ts'
import type { SimulatorContext } from './context.ts'
import { runAfter } from './notifier.ts'
import { behaviours, type Behaviour, type Order } from './order-store.ts'
import { renderListPage, renderPhonePage, renderTerminalPage } from './pages.ts'
import type { createPosServer } from './pos-server.ts'
import type { createWechatServer } from './wechat-server.ts'

export interface GatewayParts {
  readonly context: SimulatorContext
  readonly wechat: ReturnType<typeof createWechatServer>
  readonly alipay: ReturnType<typeof createAlipayServer>
  readonly pos: ReturnType<typeof createPosServer>
  readonly behave: Readonly<Record<Behaviour, (order: Order) => void>>
  /** How long an order whose behaviour is `slow` keeps each caller waiting. */
  readonly slowMilliseconds: number
}

interface GatewayRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly url: URL
  readonly body: string
}

const sendHtml = (response: ServerResponse, text: string): void =>
  void response.setHeader('content-type', 'text/html; charset=utf-8').end(text)

const sendText = (response: ServerResponse, status: number, text: string): void =>
  void response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)

const redirect = (response: ServerResponse, status: 302 | 303, location: string): void =>
  void response.writeHead(status, { location }).end()

const isBehaviour = (text: string): text is Behaviour => Object.hasOwn(behaviours, text)

/** The page in the place of the payer's phone, and what is chosen there. */
function handlePhone(
  { context, behave }: GatewayParts,
  { request, response, url, body }: GatewayRequest,
  orderNo: string,
): void {
  const form = new URLSearchParams(body)
  const order = context.orderStore.orders.get(orderNo)
  if (!order || (url.searchParams.get('key') ?? form.get('key')) !== order.pageKey)
    return sendText(response, 404, '没有该订单')
  const returnUrl = url.searchParams.get('redirect_url')
  if (returnUrl) {
    order.returnUrl = returnUrl
  }
  const behaviour = form.get('how') ?? 'normal'
  const isOpen = order.state === 'NOTPAY' || order.state === 'USERPAYING'
  if (request.method !== 'POST' || !isBehaviour(behaviour) || !isOpen)
    return sendHtml(response, renderPhonePage(order))
  order.behaviour = behaviour
  if (form.get('card') === 'credit') {
    order.card = 'credit'
  }
  if (behaviour === 'delayed') {
    order.state = 'USERPAYING'
  }
  behave[behaviour](order)
  redirect(response, 303, context.phoneUrl(order))
}

/** The page on which faults are put into a day's bill. */
function handleBillPage({ context }: GatewayParts, { request, response, url, body }: GatewayRequest): void {
  if (request.method === 'POST') {
    const form = new URLSearchParams(body)
    context.billStore.submitForm(form)
    const channel = encodeURIComponent(form.get('channel') ?? '')
    const day = encodeURIComponent(form.get('day') ?? '')
    return redirect(response, 303, `/bill?channel=${channel}&day=${day}`)
  }
  const day = url.searchParams.get('day') ?? ''
  const shownDay = isDay(day) ? day : dayOfInstant(context.clock())
  sendHtml(response, context.billStore.renderPage(channelOf(url.searchParams.get('channel')), shownDay))
}

async function sendBillFile(
  { context, wechat }: GatewayParts,
  { request, response, path, url }: GatewayRequest,
): Promise<void> {
  const isWechat = url.pathname.startsWith('/v3/')
  if (isWechat && !wechat.canFetchBill(path, request.headers.authorization ?? ''))
    return void response.writeHead(401).end()
  const file = await context.billStore.redeemToken(url.searchParams.get('token') ?? '')
  if (!file || (file.channel === 'wechat') !== isWechat) return void response.writeHead(404).end()
  response.setHeader('content-type', 'application/octet-stream').end(file.bytes)
}

const ordersOfTerminal = ({ context }: GatewayParts, terminal: string): Order[] =>
  [...context.orderStore.orders.values()].filter(order => order.terminal === terminal).toReversed()

function orderNoOf({ wechat, alipay, pos }: GatewayParts, { path, url, body }: GatewayRequest): string {
  if (url.pathname.startsWith('/pos/')) return pos.orderNoOf(body)
  return url.pathname === '/gateway.do' ? alipay.orderNoOf(body) : wechat.orderNoOf(path, body)
}

/** A call of a channel's interface. */
function answerCall(parts: GatewayParts, { request, response, path, url, body }: GatewayRequest): void {
  if (url.pathname === '/gateway.do')
    return void response
      .setHeader('content-type', 'application/json; charset=utf-8')
      .end(parts.alipay.answer(body))
  const authorization = request.headers.authorization ?? ''
  const answer = url.pathname.startsWith('/pos/')
    ? parts.pos.answer(path, authorization, body)
    : parts.wechat.answer(request.method ?? 'GET', path, authorization, body)
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

/** Answers a call at the pace of its order; an order with dropped connections gets its connection closed. */
function handleCall(parts: GatewayParts, incoming: GatewayRequest): void {
  const order = parts.context.orderStore.orders.get(orderNoOf(parts, incoming))
  if (order && order.unansweredRequests > 0) {
    order.unansweredRequests--
    return void incoming.request.socket.destroy()
  }
  runAfter(
    order?.behaviour === 'slow' ? parts.slowMilliseconds : 0,
    () => answerCall(parts, incoming),
    error => sendText(incoming.response, 500, String(error)),
  )
}

function dispatch(parts: GatewayParts, incoming: GatewayRequest): void {
  const { request, response, url } = incoming
  const { orderStore, phoneUrl } = parts.context
  if (url.pathname === '/')
    return sendHtml(
      response,
      renderListPage([...orderStore.orders.values()].toReversed().slice(0, 50), phoneUrl),
    )
  const [, orderNo] = /^\/phone\/([^/]+)$/.exec(url.pathname) ?? []
  if (orderNo) return handlePhone(parts, incoming, decodeURIComponent(orderNo))
  if (url.pathname === '/bill') return handleBillPage(parts, incoming)
  if (url.pathname === '/v3/billdownload/file' || url.pathname === '/bill/alipay')
    return void sendBillFile(parts, incoming).catch(() => response.destroy())
  const [, encodedTerminal] = /^\/terminal\/([^/]+)$/.exec(url.pathname) ?? []
  if (encodedTerminal) {
    const terminal = decodeURIComponent(encodedTerminal)
    return sendHtml(response, renderTerminalPage(terminal, ordersOfTerminal(parts, terminal), phoneUrl))
  }
  if (url.pathname === '/gateway.do' && request.method === 'GET') {
    const order = parts.alipay.openPage(url.searchParams)
    return order ? redirect(response, 302, phoneUrl(order)) : sendText(response, 400, '参数或签名错误')
  }
  handleCall(parts, incoming)
}

const maxChunks = 200

export function handleRequest(parts: GatewayParts, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => {
    if (chunks.length < maxChunks) {
      chunks.push(chunk)
    }
  })
  request.on('end', () => {
    const path = request.url ?? '/'
    try {
      dispatch(parts, {
        request,
        response,
        path,
        url: new URL(path, 'http://loopback'),
        body: Buffer.concat(chunks).toString('utf8'),
      })
    } catch (error) {
      sendText(response, 500, String(error))
    }
  })
}
