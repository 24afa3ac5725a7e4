import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { outerNumberOf } from '#kit/domain/document-number.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { queryOrder, getPayLink } from '#modules/payments/contract/order.ts'
import { listAvailableChannels } from '#modules/payments/contract/channel.ts'
import { confirmPayment } from '#modules/payments/server/order-confirmation.ts'
import { openBillStore } from '#modules/payments/server/simulator/bill-store.ts'
import { loadKeys } from '#modules/payments/server/simulator/keys.ts'
import { openOrderStore } from '#modules/payments/server/simulator/order-store.ts'
import { createWechatServer } from '#modules/payments/server/simulator/wechat-server.ts'
import { openPaymentHarness, waitUntil, type PaymentHarness } from '#db/golden/payment-harness.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getSmsPayUrl } from '../contract/sms-purchase.ts'
import {
  addRenewal,
  cancelOrders,
  listAccountEntries,
  getOrder,
  payOnline,
  getRenewal,
  topUpBalance,
} from '../contract/order.ts'

let harness: PaymentHarness
let standardProductId = 0

beforeAll(async () => {
  harness = await openPaymentHarness()
  await harness.t.database.tx('*', tx =>
    tx.execute(
      sql`
        update property
        set edition = 20, expire_date = '2027-03-31', state = 10
        where owner_id = ${harness.ownerId}
      `,
    ),
  )
  await harness.t.app.sessions.refresh(harness.ownerId, 'all')
  standardProductId = defined(
    await harness.t.database
      .reader(harness.ownerId)
      .one<{ id: Id }>(sql`select id from product where product_code = 'STANDARD'`),
  ).id
})

afterAll(() => harness?.close())
const orderRenewal = () =>
  harness.t.call(addRenewal, { productId: standardProductId, months: 12 }, harness.me)
const getBalance = async () => (await harness.t.call(getRenewal, undefined, harness.me)).balance

const findPayOrder = async (orderNo: string) =>
  defined(
    await harness.t.database
      .reader(harness.ownerId)
      .one<{ id: Id; state: number; recordId?: Id; failReason?: string }>(
        sql`select id, state, record_id, fail_reason from pay_order where order_no = ${orderNo}`,
      ),
  )

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

it('RENEW-2, RENEW-3: an order paid by a channel of the platform takes effect once', async () => {
  const order = await orderRenewal()
  const balanceBefore = await getBalance()
  const [o, same] = await Promise.all([
    harness.t.call(payOnline, { id: order.id }, harness.me),
    harness.t.call(payOnline, { id: order.id }, harness.me),
  ])
  expect(o).toMatchObject({
    orderType: 'renewal',
    amount: 139_200,
    orderMain: '安居平台',
    orderBody: `标准版，订单 ${order.orderNo}`,
    state: 'waiting',
  })
  expect(same.orderNo).toBe(o.orderNo)
  expect(await harness.t.call(getSmsPayUrl, { id: order.id }, harness.me)).toMatchObject({ id: o.id })
  expect(await (await fetch(`${harness.origin}${o.url}`)).text()).toContain('<title>支付产品费用')
  await harness.pay(o, 'doubleCallback')
  await Promise.all(
    Array.from({ length: 4 }, () => harness.t.call(queryOrder, { orderNo: o.orderNo }, harness.me)),
  )
  expect(await waitUntilSettled(o.orderNo)).toEqual({ id: o.id, state: 20 })
  expect(await harness.t.call(getOrder, { id: order.id }, harness.me)).toMatchObject({
    state: 'paid',
    payMethod: 'wechat',
    oldExpire: '2027-03-31',
    newExpire: '2028-03-31',
  })
  expect(await getErrorMessage(harness.t.call(payOnline, { id: order.id }, harness.me))).toContain('已经支付')
  expect(await getErrorMessage(harness.t.call(getSmsPayUrl, { id: order.id }, harness.me))).toContain(
    '订单没有等待支付的支付单',
  )
  // Paid a second time: it is added to the company's balance.
  const again = {
    transactionId: '4200000000000000000000000011',
    amount: asFen(139_200),
    channel: 'wechat',
    source: 'notified',
  } as const
  await Promise.all([
    confirmPayment(harness.t.app, harness.ownerId, o.id, again),
    confirmPayment(harness.t.app, harness.ownerId, o.id, again),
  ])
  expect(await getBalance()).toBe(balanceBefore + 139_200)
  expect((await harness.t.call(getOrder, { id: order.id }, harness.me)).newExpire).toBe('2028-03-31')
})

it('RENEW-3: a payment of an order that has been cancelled is added to the balance', async () => {
  const order = await orderRenewal()
  const o = await harness.t.call(payOnline, { id: order.id }, harness.me)
  const before = await getBalance()
  await harness.t.call(cancelOrders, { ids: [String(order.id)], reason: '不需要了' }, harness.me)
  await harness.pay(o, 'noCallback')
  await harness.t.call(queryOrder, { orderNo: o.orderNo }, harness.me)
  expect(await getBalance()).toBe(before + 139_200)
})

it('a top-up is added to the balance once', async () => {
  const before = await getBalance()
  const o = await harness.t.call(topUpBalance, { amount: 50_000 }, harness.me)
  await harness.pay(o, 'doubleCallback')
  await waitUntilSettled(o.orderNo)
  await harness.t.call(queryOrder, { orderNo: o.orderNo }, harness.me)
  expect(await getBalance()).toBe(before + 50_000)
  expect((await harness.t.call(listAccountEntries, {}, harness.me)).rows[0]).toMatchObject({
    entryType: 'topUp',
    amount: 50_000,
    remark: `在线充值 ${o.orderNo}`,
  })
})

it('two companies’ orders of one number are two payments for the platform’s account (G-14)', async () => {
  const { t, me } = harness
  const other = await t.signedInAs(golden.second.owner, '')
  const all = t.database.reader('*')
  const { ownerId } = defined(
    await all.one<{ ownerId: Id }>(
      sql`select owner_id from manager where login_code = ${golden.second.owner}`,
    ),
  )
  const ownOrder = await t.call(topUpBalance, { amount: 50_000 }, me)
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into document_counter (owner_id, prefix, day, last)
        values (${ownerId}, 'DD', '2026-11-21', ${Number(ownOrder.orderNo.slice(10)) - 1})
      `,
    ),
  )
  const theirs = await t.call(topUpBalance, { amount: 70_000 }, other)
  expect(theirs.orderNo).toBe(ownOrder.orderNo)
  await harness.pay(ownOrder, 'normal')
  await waitUntilSettled(ownOrder.orderNo)
  expect((await t.call(queryOrder, { orderNo: theirs.orderNo }, other)).state).toBe('waiting')
  await harness.pay(theirs, 'normal')
  const paid = await waitUntil(
    () => t.call(queryOrder, { orderNo: theirs.orderNo }, other),
    o => o.state === 'paid',
  )
  expect(paid).toMatchObject({ amount: 70_000, channel: 'wechat' })
})

it('a channel account confirms only its own orders: the company’s callback confirms no payment to the platform', async () => {
  const o = await harness.t.call(topUpBalance, { amount: 1000 }, harness.me)
  await harness.scan(o)
  const dir = `${harness.t.dir}/gateway`
  const orderStore = openOrderStore(dir, harness.t.app.clock)
  const known = defined(orderStore.orders.get(outerNumberOf(o.orderNo, harness.ownerId)))
  expect(known.notifyUrl).toBe(`${harness.origin}/api/pay/notify/wechat/${harness.ownerId}/platform`)
  orderStore.markPaid(known)
  const notice = createWechatServer({
    orderStore,
    billStore: openBillStore(dir, orderStore),
    keys: loadKeys(dir),
    clock: harness.t.app.clock,
    phoneUrl: () => '',
    baseUrl: () => '',
  }).notification(known)
  const send = (at: string) =>
    fetch(at, { method: 'POST', headers: { ...notice.headers }, body: notice.body }).then(r => r.status)
  expect(await send(known.notifyUrl.replace('/platform', ''))).toBe(400)
  expect((await findPayOrder(o.orderNo)).state).toBe(60)
  expect(await send(known.notifyUrl)).toBe(200)
  expect((await findPayOrder(o.orderNo)).state).toBe(20)
})

it('without the permission to pay there is no pay link; without a channel no payment starts', async () => {
  const o = await harness.t.call(topUpBalance, { amount: 1000 }, harness.me)
  const stranger = await harness.t.signedInAs(golden.second.owner, '')
  expect(await getErrorMessage(harness.t.call(getPayLink, { orderNo: o.orderNo }, stranger))).toContain(
    '不存在',
  )
  await harness.t.database.tx('*', tx =>
    tx.execute(sql`update pay_channel set enabled = false where owner_id = 0`),
  )
  expect(await harness.t.call(listAvailableChannels, { orderType: 'renewal' }, harness.me)).toEqual([])
  expect(await harness.t.call(listAvailableChannels, {}, harness.me)).toHaveLength(1)
  expect(await getErrorMessage(harness.t.call(topUpBalance, { amount: 1000 }, harness.me))).toContain(
    '没有可用的支付渠道',
  )
})
