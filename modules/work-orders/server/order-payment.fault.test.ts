import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { saveChannel } from '#modules/payments/contract/channel.ts'
import type { ChannelPayment } from '#modules/payments/server/order-booking.ts'
import { confirmPayment } from '#modules/payments/server/public.ts'
import { getSimulator } from '#modules/payments/server/simulator/gateway.ts'
import { createRewardOrder } from '../contract/charge.ts'
import { evaluateOrder } from '../contract/evaluation.ts'
import { getOrder, getOrderLink } from '../contract/order.ts'
import { payAsResident } from '../contract/resident.ts'
import { openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import type { OrderFixture } from './order.fixtures.ts'

/**
 * What a channel says of the payment of an order, cut off at every moment of its being booked: the word comes
 * again and is booked once, with the order.
 */
let b: BillFixture
let w: OrderFixture
let count = 0

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
  Object.assign(w.t.app, { originUrl: () => 'http://127.0.0.1:9' })
  await getSimulator(w.t.app, { slow: 10, late: 10, again: [] })
  await w.t.call(saveChannel, { channel: 'wechat', simulated: true, enabled: true }, w.owner)
})

afterAll(() => w?.close())

interface Opened {
  readonly orderId: Id
  readonly payOrderId: Id
}

const payOrderOf = async (orderNo: string): Promise<Id> =>
  defined(
    await w.t.database
      .reader(w.t.ownerId)
      .one<{ id: Id }>(sql`select id from pay_order where order_no = ${orderNo}`),
  ).id

/** The reporter has opened the page of payments by their link. */
async function openPayment(): Promise<Opened> {
  const { id: orderId } = await b.finished(asFen(5000))
  const { token } = await w.t.call(getOrderLink, { id: orderId }, w.owner)
  const { orderNo } = await w.t.call(payAsResident, { token })
  return { orderId, payOrderId: await payOrderOf(orderNo) }
}

async function openTip(): Promise<Opened> {
  const type = await w.addType()
  const { id: orderId } = await b.finishedOf(type.id, asFen(0))
  const best = { speedScore: 5, attitudeScore: 5, qualityScore: 5 }
  await w.t.call(evaluateOrder, { orderId, ...best }, w.front)
  const { orderNo } = await w.t.call(createRewardOrder, { orderId, amount: asFen(1000) }, w.supervisor)
  return { orderId, payOrderId: await payOrderOf(orderNo) }
}

const paymentOf = (amount: Fen): ChannelPayment => ({
  transactionId: `42${String(++count).padStart(26, '0')}`,
  amount,
  channel: 'wechat',
  source: 'notified',
})

const appCutAt = (moment: number): App & { readonly database: { readonly moments: number } } => ({
  ...w.t.app,
  database: cutAt(w.t.database, moment),
})

/** What the payment made of the order and its cost, without what differs from one order to another. */
async function outcomeOf({ orderId, payOrderId }: Opened): Promise<string> {
  const { state, payState, records, charges } = await w.t.call(getOrder, { id: orderId }, w.owner)
  const payments = await w.t.database.reader(w.t.ownerId).rows(sql`
    select r.record_type, r.state, r.received_amount::text as received
    from pay_record r
    where r.owner_id = ${w.t.ownerId} and r.pay_order_id = ${payOrderId}
    order by r.id
  `)
  return JSON.stringify({
    state,
    payState,
    steps: records.map(record => [record.action, record.toState, record.content]),
    charges: charges.map(charge => [charge.chargeKind, charge.state, charge.paidAmount]),
    payments,
  })
}

async function cutAtEachMoment(open: () => Promise<Opened>, amount: Fen): Promise<string> {
  const probe = appCutAt(Infinity)
  const first = await open()
  await confirmPayment(probe, w.t.ownerId, first.payOrderId, paymentOf(amount))
  const right = await outcomeOf(first)
  expect(probe.database.moments).toBeGreaterThan(8)
  for (let moment = 1; moment <= probe.database.moments; moment++) {
    const opened = await open()
    const payment = paymentOf(amount)
    const cut = confirmPayment(appCutAt(moment), w.t.ownerId, opened.payOrderId, payment)
    await expect(cut).rejects.toThrow(ConnectionCut)
    await Promise.all([1, 2, 3].map(() => confirmPayment(w.t.app, w.t.ownerId, opened.payOrderId, payment)))
    expect([moment, await outcomeOf(opened)]).toEqual([moment, right])
  }
  expect(await findViolations(w.t.database.reader(w.t.ownerId), w.t.ownerId)).toEqual([])
  return right
}

it('WO-8, PAY-3: paid by the link, cut at every moment of its booking, an order is paid once', async () => {
  const right = await cutAtEachMoment(openPayment, asFen(5000))
  expect(JSON.parse(right)).toMatchObject({
    state: 'unrated',
    payState: 'paid',
    payments: [{ received: '50.00' }],
  })
}, 240_000)

it('WO-9, PAY-3: a tip, cut at every moment of its booking, is received once', async () => {
  const right = await cutAtEachMoment(openTip, asFen(1000))
  expect(JSON.parse(right)).toMatchObject({
    state: 'completed',
    charges: expect.arrayContaining([['reward', 'paid', 1000]]),
    payments: [expect.anything()],
  })
}, 240_000)
