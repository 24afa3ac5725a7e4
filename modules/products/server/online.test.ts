import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { askOrder, payLink } from '#modules/payments/contract/order.ts'
import { openChannels } from '#modules/payments/contract/channel.ts'
import { confirm } from '#modules/payments/server/order-confirm.ts'
import { openStreet, until, type Street } from '../../../db/golden/street.ts'
import { golden } from '../../../db/golden/fill.ts'
import {
  addRenewal,
  cancelOrders,
  listEntries,
  oneOrder,
  payOnline,
  renewal,
  topUpBalance,
} from '../contract/order.ts'

let s: Street
let standard = 0

beforeAll(async () => {
  s = await openStreet()
  await s.t.store.tx('*', tx =>
    tx.run(
      sql`
        update property set edition = 20, expire_date = '2027-03-31', state = 10 where owner_id = ${s.owner}
      `,
    ),
  )
  await s.t.world.sessions.refresh(s.owner, 'all')
  standard = (await s.t.store
    .reader(s.owner)
    .one<{ id: number }>(sql`select id from product where product_code = 'STANDARD'`))!.id
})

afterAll(() => s?.close())
const buy = () => s.t.ask(addRenewal, { productId: standard, months: 12 }, s.me)
const balance = async () => (await s.t.ask(renewal, undefined, s.me)).balance

const stored = async (orderNo: string) =>
  (await s.t.store
    .reader(s.owner)
    .one<{ id: number; state: number; recordId?: number; failReason?: string }>(
      sql`select id, state, record_id, fail_reason from pay_order where order_no = ${orderNo}`,
    ))!

const settled = (orderNo: string) =>
  until(
    () => stored(orderNo),
    o => o.state === 20,
  )

const words = (p: Promise<unknown>): Promise<string> =>
  p.then(
    () => '',
    (e: Error) => e.message,
  )

it('RENEW-2, RENEW-3: an order is paid by a channel of the platform’s, takes effect once, and is no receipt of ours', async () => {
  const order = await buy()
  const had = await balance()
  const [o, same] = await Promise.all([
    s.t.ask(payOnline, { id: order.id }, s.me),
    s.t.ask(payOnline, { id: order.id }, s.me),
  ])
  expect(o).toMatchObject({
    orderType: 'renewal',
    amount: 139_200,
    orderMain: '安居平台',
    orderBody: `标准版，订单 ${order.orderNo}`,
    state: 'waiting',
  })
  expect(same.orderNo).toBe(o.orderNo)
  await s.pay(o, 'twice')
  await Promise.all(Array.from({ length: 4 }, () => s.t.ask(askOrder, { orderNo: o.orderNo }, s.me)))
  expect(await settled(o.orderNo)).toEqual({ id: o.id, state: 20 })
  expect(await s.t.ask(oneOrder, { id: order.id }, s.me)).toMatchObject({
    state: 'paid',
    payMethod: 'wechat',
    oldExpire: '2027-03-31',
    newExpire: '2028-03-31',
  })
  expect(await words(s.t.ask(payOnline, { id: order.id }, s.me))).toContain('已经支付')
  // Paid once more: the company's, in its balance.
  const again = {
    transactionId: '4200000000000000000000000011',
    amount: 139_200,
    channel: 'wechat',
    source: 'notified',
  } as const
  await Promise.all([confirm(s.t.world, s.owner, o.id, again), confirm(s.t.world, s.owner, o.id, again)])
  expect(await balance()).toBe(had + 139_200)
  expect((await s.t.ask(oneOrder, { id: order.id }, s.me)).newExpire).toBe('2028-03-31')
})

it('RENEW-3: money for an order that was cancelled meanwhile, or of another amount, stands in the balance', async () => {
  const order = await buy()
  const o = await s.t.ask(payOnline, { id: order.id }, s.me)
  const before = await balance()
  await s.t.ask(cancelOrders, { ids: [String(order.id)], reason: '不需要了' }, s.me)
  await s.pay(o, 'never')
  await s.t.ask(askOrder, { orderNo: o.orderNo }, s.me)
  expect(await balance()).toBe(before + 139_200)
})

it('the balance is filled up, once', async () => {
  const before = await balance()
  const o = await s.t.ask(topUpBalance, { amount: 50_000 }, s.me)
  await s.pay(o, 'twice')
  await settled(o.orderNo)
  await s.t.ask(askOrder, { orderNo: o.orderNo }, s.me)
  expect(await balance()).toBe(before + 50_000)
  expect((await s.t.ask(listEntries, {}, s.me)).rows[0]).toMatchObject({
    entryType: 'topUp',
    amount: 50_000,
    remark: `在线充值 ${o.orderNo}`,
  })
})

it('an account speaks for its own orders alone: the company’s own callback pays nothing that goes to the platform', async () => {
  const o = await s.t.ask(topUpBalance, { amount: 1000 }, s.me)
  const { openBook } = await import('#modules/payments/server/simulator/book.ts')
  const { openBills } = await import('#modules/payments/server/simulator/bill.ts')
  const { wechatEnd } = await import('#modules/payments/server/simulator/wechat.ts')
  const { keysIn } = await import('#modules/payments/server/simulator/keys.ts')
  await s.scan(o)
  const dir = `${s.t.dir}/gateway`
  const book = openBook(dir, s.t.world.clock)
  const known = book.orders.get(o.orderNo)!
  expect(known.notifyUrl).toBe(`${s.origin}/api/pay/notify/wechat/${s.owner}/platform`)
  book.paid(known)
  const said = wechatEnd(
    book,
    openBills(dir, book),
    keysIn(dir),
    s.t.world.clock,
    () => '',
    () => '',
  ).notice(known)
  const send = (at: string) =>
    fetch(at, { method: 'POST', headers: { ...said.headers }, body: said.body }).then(r => r.status)
  expect(await send(known.notifyUrl.replace('/platform', ''))).toBe(400)
  expect((await stored(o.orderNo)).state).toBe(60)
  expect(await send(known.notifyUrl)).toBe(200)
  expect((await stored(o.orderNo)).state).toBe(20)
})

it('who may not pay may not follow either; without a channel nothing begins', async () => {
  const o = await s.t.ask(topUpBalance, { amount: 1000 }, s.me)
  const stranger = await s.t.as(golden.second.owner, '')
  expect(await words(s.t.ask(payLink, { orderNo: o.orderNo }, stranger))).toContain('不存在')
  await s.t.store.tx('*', tx => tx.run(sql`update pay_channel set enabled = false where owner_id = 0`))
  expect(await s.t.ask(openChannels, { orderType: 'renewal' }, s.me)).toEqual([])
  expect(await s.t.ask(openChannels, {}, s.me)).toHaveLength(1)
  expect(await words(s.t.ask(topUpBalance, { amount: 1000 }, s.me))).toContain('没有可用的支付渠道')
})
