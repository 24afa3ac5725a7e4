import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { timingSafeEqual } from 'node:crypto'
import { codeOf, keyOf, labelOf } from '#kit/contract/field.ts'
import { ownNumberOf } from '#kit/domain/document-number.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { Refused } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { sql } from '#kit/server/db.ts'
import type { RawEndpoint, RawResponse, RawRequest } from '#kit/server/raw-endpoint.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { channel as channels, orderState, orderType } from '../contract/choices.ts'
import type { PayOrder } from '../contract/order.ts'
import {
  findPayeeChannels,
  getOrderChannelClient,
  getChannelClient,
  isSupportedChannel,
} from './channels/channel-accounts.ts'
import { payeeOf, payTitleOf, type Payee } from '../domain/order.ts'
import { ForgedMessageError, type Channel, type ChannelNotification } from './channels/channel-client.ts'
import { applyChannelResult, queryOrderThrottled, assignOrderChannel, reloadOrder } from './order-query.ts'
import { orderSystemScope } from './order-state.ts'
import { toChannelOrderRequest } from './order-lookup.ts'

const escapeHtml = (s: string): string => s.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

const renderPage = (title: string, body: string, httpStatus = 200, extraHead = ''): RawResponse => ({
  status: httpStatus,
  body: `<!doctype html><html lang="zh-CN"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
${extraHead}<title>${title}</title><style>
body{margin:0;background:#f3f5f6;color:#16211f;font:16px/1.6 sans-serif}
main{max-width:420px;min-height:100vh;margin:0 auto;padding:28px 24px;background:#fff;box-sizing:border-box}
h1{font-size:17px;text-align:center}
.sum{display:block;margin:8px 0 20px;font-size:40px;font-weight:600;text-align:center}
dl{padding:10px 0;border-block:1px solid #e3e6e8}
dl div{display:flex;gap:16px;padding:4px 0}
dt{flex:none;color:#46525a}
dd{flex:1;margin:0;text-align:right;overflow-wrap:anywhere}
a.go{display:block;margin-top:14px;padding:13px;border-radius:8px;color:#fff;text-align:center;text-decoration:none}
a.wechat{background:#07864b}
a.alipay{background:#1268d8}
a.back{border:1px solid #e3e6e8;color:#16211f}
p{color:#46525a;font-size:14px;text-align:center}
</style></head><body><main>${body}</main></body></html>`,
})

const invalidLinkPage = (): RawResponse =>
  renderPage('支付', '<h1>付款链接无效</h1><p>请让收费员重新出示收款码。</p>', 404)

/** The order behind a link: with the link one may pay and see what is paid for. */
async function findLinkedOrder(
  request: RawRequest,
  app: App,
): Promise<{ order: PayOrder; ownerId: Id } | undefined> {
  const ownerId = parseId(request.query.get('o'))
  const number = request.query.get('orderId') ?? ''
  if (!ownerId || !number || number.length > 40) return undefined
  const row = await app.database.reader(ownerId).one<{ id: Id; url?: string; type: number }>(
    sql`
        select id, code_url as url, order_type::int as type
        from pay_order
        where owner_id = ${ownerId} and order_no = ${number} and ${notDeleted()}
      `,
  )
  // A link of another kind of business is no link of this order.
  const requestedType = request.query.get('orderType')
  if (row && requestedType !== null && requestedType !== String(row.type)) return undefined
  const requestedKey = Buffer.from(request.query.get('key') ?? '')
  const expectedKey = Buffer.from(new URL(row?.url ?? '', 'http://here').searchParams.get('key') ?? '')
  return row &&
    expectedKey.length > 0 &&
    requestedKey.length === expectedKey.length &&
    timingSafeEqual(requestedKey, expectedKey)
    ? { order: await reloadOrder(app, ownerId, row.id), ownerId }
    : undefined
}

/** Where the payer came from within this product (`back=/repair?t=…`); addresses elsewhere are ignored. */
function backPathOf({ query, origin }: RawRequest): string | undefined {
  const back = query.get('back') ?? ''
  if (!back.startsWith('/') || back.length > 200 || !URL.canParse(back, origin)) return undefined
  const url = new URL(back, origin)
  return url.origin === origin ? `${url.pathname}${url.search}` : undefined
}

/** The channel leads back to the page of the payment, and that to where the payer came from. */
function returnUrlOf(request: RawRequest, order: PayOrder): string {
  const back = backPathOf(request)
  return `${request.origin}${order.codeUrl}${back === undefined ? '' : `&back=${encodeURIComponent(back)}`}`
}

const backLink = (request: RawRequest): string => {
  const back = backPathOf(request)
  return back === undefined ? '' : `<a class="go back" href="${escapeHtml(back)}">返回</a>`
}

/**
 * WeChat's own browser pays WeChat, Alipay's pays Alipay; any other may choose. WeChat opens its H5 page in
 * other browsers only.
 */
const isWechatBrowser = (agent: string): boolean => /MicroMessenger/i.test(agent)

const isChannelUsable = (agent: string, c: Channel, simulated: boolean): boolean =>
  isWechatBrowser(agent) ? c === 'wechat' && simulated : /AlipayClient/i.test(agent) ? c === 'alipay' : true

function closedOrderText(state: PayOrder['state']): string {
  if (state === 'paid') return '已支付，谢谢'
  return state === 'waiting' || state === 'paying'
    ? '已过期，请让收费员重新出示收款码'
    : `${labelOf(orderState, state)}，请联系收费员`
}

const noChannelText = (request: RawRequest): string =>
  isWechatBrowser(request.agent)
    ? '请点右上角「…」，选择在浏览器打开后付款；也可以出示微信付款码，由收费员扫码'
    : '此处没有可用的支付方式，请联系收费员'

const channelLink = (request: RawRequest, channel: Channel): string => {
  const query = escapeHtml(request.query.toString())
  return `<a class="go ${channel}" href="/api/pay/go?${query}&amp;channel=${channel}">${labelOf(channels, channel)}</a>`
}

const payPageEntry: RawEndpoint = {
  route: 'GET /api/pay/h5',
  run: async (request, app) => {
    const linked = await findLinkedOrder(request, app)
    if (!linked) return invalidLinkPage()
    const order = await queryOrderThrottled(app, linked.ownerId, linked.order)
    const isPayable =
      (order.state === 'waiting' || order.state === 'paying') && order.expireTime > fromInstant(app.clock())
    await app.database.tx(linked.ownerId, tx =>
      tx.execute(
        sql`
          update pay_order
          set scan_time = ${fromInstant(app.clock())}
          where owner_id = ${linked.ownerId} and id = ${order.id} and scan_time is null
        `,
      ),
    )
    const usableChannels = isPayable
      ? (await findPayeeChannels(app, linked.ownerId, payeeOf(order.orderType))).filter(
          c =>
            c.channel !== 'pos' &&
            (!order.channel || c.channel === order.channel) &&
            isChannelUsable(request.agent, c.channel, c.simulated),
        )
      : []
    const closedText = isPayable ? '' : closedOrderText(order.state)
    return renderPage(
      payTitleOf(order),
      `<h1>${escapeHtml(order.orderMain)}</h1>
    <strong class="sum">¥${formatYuan(order.amount, { thousands: true })}</strong>
    <dl>
      <div><dt>收费对象</dt><dd>${escapeHtml(order.orderObj)}</dd></div>
      <div><dt>缴费内容</dt><dd>${escapeHtml(order.orderBody)}</dd></div>
      <div><dt>订单号</dt><dd>${escapeHtml(order.orderNo)}</dd></div>
    </dl>
    ${closedText && `<p role="status">${closedText}</p>`}
    ${isPayable && !usableChannels.length ? `<p>${noChannelText(request)}</p>` : ''}
    ${usableChannels.map(c => channelLink(request, c.channel)).join('')}
    ${backLink(request)}
    ${order.state === 'paying' && isPayable ? '<p>付款后本页会自动显示结果</p>' : ''}`,
      200,
      order.state === 'paying' ? '<meta http-equiv="refresh" content="3">' : '',
    )
  },
}

const payRedirectEntry: RawEndpoint = {
  route: 'GET /api/pay/go',
  run: async (request, app) => {
    const linked = await findLinkedOrder(request, app)
    const targetChannel = request.query.get('channel')
    if (
      !linked ||
      !isSupportedChannel(targetChannel) ||
      targetChannel === 'pos' ||
      !(await findPayeeChannels(app, linked.ownerId, payeeOf(linked.order.orderType))).some(
        c => c.channel === targetChannel,
      )
    )
      return invalidLinkPage()
    try {
      const assigned = await assignOrderChannel(app, linked.ownerId, linked.order, targetChannel, 'qr')
      return {
        status: 303,
        location: await (
          await getOrderChannelClient(app, linked.ownerId, assigned)
        ).createH5Url(toChannelOrderRequest(assigned), returnUrlOf(request, assigned), request.ip),
      }
    } catch (e) {
      if (!(e instanceof Refused)) {
        app.log.warn({ err: errorMessage(e), order: linked.order.orderNo }, 'the channel gives no page')
      }
      return renderPage(
        '支付',
        `<h1>${e instanceof Refused ? escapeHtml(e.message) : '支付渠道未响应，请稍后再试'}</h1><p><a href="${escapeHtml(returnUrlOf(request, linked.order))}">返回</a></p>`,
      )
    }
  },
}

/** A forged callback, or a replayed one, gets an audit row of its own. */
const auditRefusedCallback = (
  app: App,
  ownerId: Id,
  sender: Channel,
  ip: string,
  id: Id,
  reason: string,
): Promise<void> =>
  app.database.tx(ownerId, tx =>
    audit(tx, { ...orderSystemScope(app, ownerId), ip }, [
      {
        action: 'refused',
        entity: 'payOrder',
        entityId: id,
        reason: `${labelOf(channels, sender)}的回调被拒绝：${reason}`,
      },
    ]),
  )

const createNotifyEntry = (route: RawEndpoint['route'], payee: Payee): RawEndpoint => ({
  route,
  run: async (request, app) => {
    const ownerId = parseId(request.params.ownerId)
    const sender = request.params.channel
    if (!isSupportedChannel(sender) || !ownerId) return { status: 404 }
    const client = await getChannelClient(app, ownerId, sender, payee).catch(e => {
      if (e instanceof Refused) return undefined
      throw e
    })
    if (!client) return { status: 404 }
    const { type, accepted, refused } = client.acknowledgement
    const refusal: RawResponse = { status: 400, type, body: refused }
    let notification: ChannelNotification
    try {
      notification = client.parseNotification(request.headers, request.body)
    } catch (e) {
      if (!(e instanceof ForgedMessageError)) throw e
      await auditRefusedCallback(app, ownerId, sender, request.ip, 0, e.message)
      return refusal
    }
    const row = await app.database.reader(ownerId).one<{ id: Id; type: number }>(
      sql`
          select id, order_type as type
          from pay_order
          where owner_id = ${ownerId}
            and order_no = ${ownNumberOf(notification.orderNo, ownerId)}
            and coalesce(trade_no, order_no) = ${notification.orderNo}
            and channel = ${Number(codeOf(channels, sender))}
            and ${notDeleted()}
        `,
    )
    // An account speaks for its own orders alone.
    if (!row || payeeOf(defined(keyOf(orderType, row.type))) !== payee) {
      await auditRefusedCallback(app, ownerId, sender, request.ip, 0, `没有支付单 ${notification.orderNo}`)
      return refusal
    }
    const isNew = await app.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          insert into pay_notice (owner_id, channel, nonce)
          values (${ownerId}, ${Number(codeOf(channels, sender))}, ${notification.nonce})
          on conflict do nothing
        `,
      ),
    )
    if (!isNew && !client.isNotificationRepeated) {
      await auditRefusedCallback(app, ownerId, sender, request.ip, row.id, '重放')
      return refusal
    }
    await applyChannelResult(
      app,
      ownerId,
      await reloadOrder(app, ownerId, row.id),
      notification.result,
      'notified',
    )
    return { type, body: accepted }
  },
})

/** The company's own channels, and the platform's for what companies buy of it. */
const notifyEntries = [
  createNotifyEntry('POST /api/pay/notify/:channel/:ownerId', 'company'),
  createNotifyEntry('POST /api/pay/notify/:channel/:ownerId/platform', 'platform'),
]

export const orderEntries: readonly RawEndpoint[] = [payPageEntry, payRedirectEntry, ...notifyEntries]
