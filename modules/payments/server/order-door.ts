import { timingSafeEqual } from 'node:crypto'
import { codeOf, keyOf, labelOf } from '#kit/contract/field.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { Refused } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import type { Plain, PlainAnswer, PlainAsk } from '#kit/server/plain.ts'
import type { World } from '#kit/server/world.ts'
import { channel as channels, orderState, orderType } from '../contract/choices.ts'
import type { PayOrder } from '../contract/order.ts'
import { channelsFor, gateFor, gateOf, spoken } from './gates/accounts.ts'
import { payeeOf, type Payee } from '../domain/order.ts'
import { Forged, type Channel, type Notified } from './gates/gate.ts'
import { apply, askLately, begin, freshOrder } from './order-ask.ts'
import { own } from './order-confirm.ts'
import { askingOf } from './order-find.ts'

const plain = (s: string): string => s.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

const page = (title: string, body: string, status = 200, more = ''): PlainAnswer => ({
  status,
  body: `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${more}<title>${title}</title><style>
body{margin:0;background:#f3f5f6;color:#16211f;font:16px/1.6 sans-serif}main{max-width:420px;min-height:100vh;margin:0 auto;padding:28px 24px;background:#fff;box-sizing:border-box}h1{font-size:17px;text-align:center}.sum{display:block;margin:8px 0 20px;font-size:40px;font-weight:600;text-align:center}
dl{padding:10px 0;border-block:1px solid #e3e6e8}dl div{display:flex;gap:16px;padding:4px 0}dt{flex:none;color:#46525a}dd{flex:1;margin:0;text-align:right;overflow-wrap:anywhere}a.go{display:block;margin-top:14px;padding:13px;border-radius:8px;color:#fff;text-align:center;text-decoration:none}a.wechat{background:#07864b}a.alipay{background:#1268d8}p{color:#46525a;font-size:14px;text-align:center}
</style></head><body><main>${body}</main></body></html>`,
})

const gone = (): PlainAnswer => page('支付', '<h1>付款链接无效</h1><p>请让收费员重新出示收款码。</p>', 404)

/** The order behind a link: who has the link may pay, and see what he pays for. */
async function linked(ask: PlainAsk, world: World): Promise<{ o: PayOrder; owner: number } | undefined> {
  const owner = Number(ask.query.get('o'))
  const number = ask.query.get('orderId') ?? ''
  if (!Number.isSafeInteger(owner) || owner <= 0 || !number || number.length > 40) return undefined
  const row = await world.store.reader(owner).one<{ id: number; url?: string }>(
    sql`
        select id, code_url as url
        from pay_order
        where owner_id = ${owner} and order_no = ${number} and delete_tag = 0
      `,
  )
  const said = Buffer.from(ask.query.get('key') ?? '')
  const is = Buffer.from(new URL(row?.url ?? '', 'http://here').searchParams.get('key') ?? '')
  return row && is.length > 0 && said.length === is.length && timingSafeEqual(said, is)
    ? { o: await freshOrder(world, owner, row.id), owner }
    : undefined
}

const back = (ask: PlainAsk, o: PayOrder): string => `${ask.origin}${o.codeUrl}`

/**
 * WeChat's own browser pays WeChat, Alipay's pays Alipay; any other may choose. WeChat opens its H5 page in
 * other browsers only.
 */
const inWechat = (agent: string): boolean => /MicroMessenger/i.test(agent)

const suits = (agent: string, c: Channel, simulated: boolean): boolean =>
  inWechat(agent) ? c === 'wechat' && simulated : /AlipayClient/i.test(agent) ? c === 'alipay' : true

const show: Plain = {
  at: 'GET /api/pay/h5',
  run: async (ask, world) => {
    const seen = await linked(ask, world)
    if (!seen) return gone()
    const o = await askLately(world, seen.owner, seen.o)
    const open = (o.state === 'waiting' || o.state === 'paying') && o.expireTime > fromInstant(world.clock())
    await world.store.tx(seen.owner, tx =>
      tx.run(
        sql`
          update pay_order
          set scan_time = ${fromInstant(world.clock())}
          where owner_id = ${seen.owner} and id = ${o.id} and scan_time is null
        `,
      ),
    )
    const ways = open
      ? (await channelsFor(world, seen.owner, payeeOf(o.orderType))).filter(
          c =>
            c.channel !== 'pos' &&
            (!o.channel || c.channel === o.channel) &&
            suits(ask.agent, c.channel, c.simulated),
        )
      : []
    const words = open
      ? ''
      : o.state === 'paid'
        ? '已支付，谢谢'
        : o.state === 'waiting' || o.state === 'paying'
          ? '已过期，请让收费员重新出示收款码'
          : `${labelOf(orderState, o.state)}，请联系收费员`
    return page(
      '支付物业费用',
      `<h1>${plain(o.orderMain)}</h1><strong class="sum">¥${formatYuan(o.amount, { thousands: true })}</strong>
    <dl><div><dt>缴费对象</dt><dd>${plain(o.orderObj)}</dd></div><div><dt>缴费内容</dt><dd>${plain(o.orderBody)}</dd></div><div><dt>订单号</dt><dd>${plain(o.orderNo)}</dd></div></dl>
    ${o.state === 'waiting' || o.state === 'paying' ? '' : `<p role="status">${words}</p>`}${open && !ways.length ? `<p>${inWechat(ask.agent) ? '请点右上角「…」，选择在浏览器打开后付款；也可以出示微信付款码，由收费员扫码' : '这里没有可用的支付方式，请联系收费员'}</p>` : ''}${ways.map(w => `<a class="go ${w.channel}" href="/api/pay/go?${plain(ask.query.toString())}&amp;channel=${w.channel}">${labelOf(channels, w.channel)}</a>`).join('')}${o.state === 'paying' && open ? '<p>付款后本页会自动显示结果</p>' : words && o.state !== 'paid' && !open ? `<p>${words}</p>` : ''}`,
      200,
      o.state === 'paying' ? '<meta http-equiv="refresh" content="3">' : '',
    )
  },
}

const go: Plain = {
  at: 'GET /api/pay/go',
  run: async (ask, world) => {
    const seen = await linked(ask, world)
    const to = ask.query.get('channel') as Channel
    if (
      !seen ||
      !spoken.includes(to) ||
      to === 'pos' ||
      !(await channelsFor(world, seen.owner, payeeOf(seen.o.orderType))).some(c => c.channel === to)
    )
      return gone()
    try {
      const o = await begin(world, seen.owner, seen.o, to, 'qr')
      return {
        status: 303,
        location: await (await gateFor(world, seen.owner, o)).h5(askingOf(o), back(ask, o), ask.ip),
      }
    } catch (e) {
      if (!(e instanceof Refused)) {
        world.log.warn({ err: (e as Error).message, order: seen.o.orderNo }, 'the channel gives no page')
      }
      return page(
        '支付',
        `<h1>${e instanceof Refused ? plain(e.message) : '支付渠道没有回答，请稍后再试'}</h1><p><a href="${plain(back(ask, seen.o))}">返回</a></p>`,
      )
    }
  },
}

/** A forged callback, or an old one again, is worth a row of its own. */
const refused = (
  world: World,
  owner: number,
  c: Channel,
  ip: string,
  id: number,
  why: string,
): Promise<void> =>
  world.store.tx(owner, tx =>
    audit(tx, { ...own(owner), ip }, [
      {
        action: 'refused',
        entity: 'payOrder',
        entityId: id,
        reason: `${labelOf(channels, c)}的回调被拒绝：${why}`,
      },
    ]),
  )

const heard = (at: Plain['at'], payee: Payee): Plain => ({
  at,
  run: async (ask, world) => {
    const owner = Number(ask.path.owner)
    const c = ask.path.channel as Channel
    if (!spoken.includes(c) || !Number.isSafeInteger(owner) || owner <= 0) return { status: 404 }
    const gate = await gateOf(world, owner, c, payee).catch(e => {
      if (e instanceof Refused) return undefined
      throw e
    })
    if (!gate) return { status: 404 }
    const no: PlainAnswer = { status: 400, type: gate.thanks.type, body: gate.thanks.no }
    let n: Notified
    try {
      n = gate.notified(ask.headers, ask.body)
    } catch (e) {
      if (!(e instanceof Forged)) throw e
      await refused(world, owner, c, ask.ip, 0, e.message)
      return no
    }
    const row = await world.store.reader(owner).one<{ id: number; type: number }>(
      sql`
          select id, order_type as type
          from pay_order
          where owner_id = ${owner}
            and order_no = ${n.orderNo}
            and channel = ${Number(codeOf(channels, c))}
            and delete_tag = 0
        `,
    )
    // An account speaks for its own orders alone.
    if (!row || payeeOf(keyOf(orderType, row.type)!) !== payee) {
      await refused(world, owner, c, ask.ip, 0, `没有支付单 ${n.orderNo}`)
      return no
    }
    const fresh = await world.store.tx(owner, tx =>
      tx.run(
        sql`
          insert into pay_notice (owner_id, channel, nonce)
          values (${owner}, ${Number(codeOf(channels, c))}, ${n.nonce})
          on conflict do nothing
        `,
      ),
    )
    if (!fresh && !gate.repeats) {
      await refused(world, owner, c, ask.ip, row.id, '重放')
      return no
    }
    await apply(world, owner, await freshOrder(world, owner, row.id), n.said, 'notified')
    return { type: gate.thanks.type, body: gate.thanks.yes }
  },
})

/** The company's own channels, and the platform's for what companies buy of it. */
const notified = [
  heard('POST /api/pay/notify/:channel/:owner', 'company'),
  heard('POST /api/pay/notify/:channel/:owner/platform', 'platform'),
]

export const orderDoors: readonly Plain[] = [show, go, ...notified]
