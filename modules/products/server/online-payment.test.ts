import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { queryOrder, getPayLink } from '#modules/payments/contract/order.ts'
import { listAvailableChannels } from '#modules/payments/contract/channel.ts'
import { confirmPayment } from '#modules/payments/server/order-confirmation.ts'
import { openPaymentHarness, waitUntil, type PaymentHarness } from '../../../db/golden/payment-harness.ts'
import { golden } from '../../../db/golden/golden-data.ts'
import {
  addRenewal,
  cancelOrders,
  listAccountEntries,
  getOrder,
  payOnline,
  getRenewal,
  topUpBalance,
} from '../contract/order.ts'

let street: PaymentHarness
let standardProductId = 0

beforeAll(async () => {
  street = await openPaymentHarness()
  await street.t.database.tx('*', tx =>
    tx.execute(
      sql`
        update property set edition = 20, expire_date = '2027-03-31', state = 10 where owner_id = ${street.owner}
      `,
    ),
  )
  await street.t.app.sessions.refresh(street.owner, 'all')
  standardProductId = (await street.t.database
    .reader(street.owner)
    .one<{ id: number }>(sql`select id from product where product_code = 'STANDARD'`))!.id
})

afterAll(() => street?.close())
const orderRenewal = () => street.t.call(addRenewal, { productId: standardProductId, months: 12 }, street.me)
const getBalance = async () => (await street.t.call(getRenewal, undefined, street.me)).balance

const findPayOrder = async (orderNo: string) =>
  (await street.t.database
    .reader(street.owner)
    .one<{ id: number; state: number; recordId?: number; failReason?: string }>(
      sql`select id, state, record_id, fail_reason from pay_order where order_no = ${orderNo}`,
    ))!

const waitUntilSettled = (orderNo: string) =>
  waitUntil(
    () => findPayOrder(orderNo),
    o => o.state === 20,
  )

const getErrorMessage = (p: Promise<unknown>): Promise<string> =>
  p.then(
    () => '',
    (e: Error) => e.message,
  )

it('RENEW-2, RENEW-3: an order is paid by a channel of the platform’s, takes effect once, and is no receipt of ours', async () => {
  const order = await orderRenewal()
  const had = await getBalance()
  const [o, same] = await Promise.all([
    street.t.call(payOnline, { id: order.id }, street.me),
    street.t.call(payOnline, { id: order.id }, street.me),
  ])
  expect(o).toMatchObject({
    orderType: 'renewal',
    amount: 139_200,
    orderMain: '安居平台',
    orderBody: `标准版，订单 ${order.orderNo}`,
    state: 'waiting',
  })
  expect(same.orderNo).toBe(o.orderNo)
  await street.pay(o, 'twice')
  await Promise.all(
    Array.from({ length: 4 }, () => street.t.call(queryOrder, { orderNo: o.orderNo }, street.me)),
  )
  expect(await waitUntilSettled(o.orderNo)).toEqual({ id: o.id, state: 20 })
  expect(await street.t.call(getOrder, { id: order.id }, street.me)).toMatchObject({
    state: 'paid',
    payMethod: 'wechat',
    oldExpire: '2027-03-31',
    newExpire: '2028-03-31',
  })
  expect(await getErrorMessage(street.t.call(payOnline, { id: order.id }, street.me))).toContain('已经支付')
  // Paid once more: the company's, in its balance.
  const again = {
    transactionId: '4200000000000000000000000011',
    amount: 139_200,
    channel: 'wechat',
    source: 'notified',
  } as const
  await Promise.all([
    confirmPayment(street.t.app, street.owner, o.id, again),
    confirmPayment(street.t.app, street.owner, o.id, again),
  ])
  expect(await getBalance()).toBe(had + 139_200)
  expect((await street.t.call(getOrder, { id: order.id }, street.me)).newExpire).toBe('2028-03-31')
})

it('RENEW-3: money for an order that was cancelled meanwhile, or of another amount, stands in the balance', async () => {
  const order = await orderRenewal()
  const o = await street.t.call(payOnline, { id: order.id }, street.me)
  const before = await getBalance()
  await street.t.call(cancelOrders, { ids: [String(order.id)], reason: '不需要了' }, street.me)
  await street.pay(o, 'never')
  await street.t.call(queryOrder, { orderNo: o.orderNo }, street.me)
  expect(await getBalance()).toBe(before + 139_200)
})

it('the balance is filled up, once', async () => {
  const before = await getBalance()
  const o = await street.t.call(topUpBalance, { amount: 50_000 }, street.me)
  await street.pay(o, 'twice')
  await waitUntilSettled(o.orderNo)
  await street.t.call(queryOrder, { orderNo: o.orderNo }, street.me)
  expect(await getBalance()).toBe(before + 50_000)
  expect((await street.t.call(listAccountEntries, {}, street.me)).rows[0]).toMatchObject({
    entryType: 'topUp',
    amount: 50_000,
    remark: `在线充值 ${o.orderNo}`,
  })
})

it('an account speaks for its own orders alone: the company’s own callback pays nothing that goes to the platform', async () => {
  const o = await street.t.call(topUpBalance, { amount: 1000 }, street.me)
  const { openOrderStore: openBook } = await import('#modules/payments/server/simulator/order-store.ts')
  const { openBillStore: openBills } = await import('#modules/payments/server/simulator/bill-store.ts')
  const { createWechatServer: wechatEnd } =
    await import('#modules/payments/server/simulator/wechat-server.ts')
  const { loadKeys: keysIn } = await import('#modules/payments/server/simulator/keys.ts')
  await street.scan(o)
  const dir = `${street.t.dir}/gateway`
  const book = openBook(dir, street.t.app.clock)
  const known = book.orders.get(o.orderNo)!
  expect(known.notifyUrl).toBe(`${street.origin}/api/pay/notify/wechat/${street.owner}/platform`)
  book.paid(known)
  const said = wechatEnd(
    book,
    openBills(dir, book),
    keysIn(dir),
    street.t.app.clock,
    () => '',
    () => '',
  ).notice(known)
  const send = (at: string) =>
    fetch(at, { method: 'POST', headers: { ...said.headers }, body: said.body }).then(r => r.status)
  expect(await send(known.notifyUrl.replace('/platform', ''))).toBe(400)
  expect((await findPayOrder(o.orderNo)).state).toBe(60)
  expect(await send(known.notifyUrl)).toBe(200)
  expect((await findPayOrder(o.orderNo)).state).toBe(20)
})

it('who may not pay may not follow either; without a channel nothing begins', async () => {
  const o = await street.t.call(topUpBalance, { amount: 1000 }, street.me)
  const stranger = await street.t.signedInAs(golden.second.owner, '')
  expect(await getErrorMessage(street.t.call(getPayLink, { orderNo: o.orderNo }, stranger))).toContain(
    '不存在',
  )
  await street.t.database.tx('*', tx =>
    tx.execute(sql`update pay_channel set enabled = false where owner_id = 0`),
  )
  expect(await street.t.call(listAvailableChannels, { orderType: 'renewal' }, street.me)).toEqual([])
  expect(await street.t.call(listAvailableChannels, {}, street.me)).toHaveLength(1)
  expect(await getErrorMessage(street.t.call(topUpBalance, { amount: 1000 }, street.me))).toContain(
    '没有可用的支付渠道',
  )
})
