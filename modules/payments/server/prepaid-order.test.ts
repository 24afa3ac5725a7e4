import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { addPreFee } from '#modules/bills/contract/temporary.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { bindRooms, seedFee, testScope, type SeededRoom } from '#modules/bills/server/generate.fixtures.ts'
import { openBilling } from '#modules/bills/server/golden.fixtures.ts'
import { closeOrder, createOrder, getPayLink } from '../contract/order.ts'
import { payBills, payOrderOffline } from '../contract/payment.ts'
import { maintainOrders } from './order-jobs.ts'

const project = 'GOLD0001'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let rooms: SeededRoom[] = []

beforeAll(async () => {
  ;({ t, me, ownerId, rooms } = await openBilling(project))
})

afterAll(() => t?.close())

const neverAborted = new AbortController().signal

/** A monthly fee of a room, billed to the end of November. */
const seedRelation = (room: number): Promise<number> =>
  t.database.tx(ownerId, async tx => {
    const scope = testScope(ownerId)
    const fee = await seedFee(tx, scope, project, { price: '2.00' })
    const charged = { beginDate: '2026-11-01', billedTo: '2026-11-30' }
    const [relation] = await bindRooms(tx, scope, project, fee, [defined(rooms[room])], charged)
    return defined(relation)
  })

const readState = async (relation: number, orderNo: string) => {
  const db = t.database.reader(ownerId)
  const bills = await db.rows<{ paid: boolean }>(sql`
    select pay_state = 1 as paid
    from bill
    where owner_id = ${ownerId} and relation_id = ${relation} and delete_tag = 0
  `)
  const row = await db.one<{ to: string }>(
    sql`select billed_to as to from fee_relation where owner_id = ${ownerId} and id = ${relation}`,
  )
  return {
    bills: bills.length,
    paid: bills.filter(b => b.paid).length,
    billedTo: row?.to,
    order: (await t.call(getPayLink, { orderNo }, me)).state,
  }
}

const prepay = (relation: number, count = 2) =>
  t.call(addPreFee, { relationIds: [String(relation)], count }, me)

const refusalMessage = async (p: Promise<unknown>): Promise<string> => {
  const error = await p.then(
    () => undefined,
    e => e,
  )
  expect(error).toBeInstanceOf(Refused)
  return error.message
}

it('TMP-2 a pay order is opened, holds the bills and is paid with cash', async () => {
  const relation = await seedRelation(0)
  const made = await prepay(relation)
  const link = await t.call(getPayLink, { orderNo: made.orderNo }, me)
  expect([link.state, link.amount]).toEqual(['waiting', made.amount])
  const pay = (overrides: object) =>
    t.call(
      payBills,
      {
        projectCode: project,
        billIds: made.ids,
        expectAmount: made.amount,
        methods: [{ method: 'cash', amount: made.amount }],
        ...overrides,
      },
      me,
    )
  expect(await refusalMessage(pay({}))).toContain('支付')
  expect(await refusalMessage(pay({ orderNo: made.orderNo, billIds: made.ids.slice(1) }))).toContain('不一致')
  const methods = [{ method: 'cash', amount: 100 }] as const
  expect(await refusalMessage(pay({ orderNo: made.orderNo, methods }))).toContain('一次收清')
  const paid = await pay({ orderNo: made.orderNo })
  expect(paid.received).toBe(made.amount)
  expect(await readState(relation, made.orderNo)).toEqual({
    bills: 2,
    paid: 2,
    billedTo: '2027-01-31',
    order: 'paid',
  })
  expect(await refusalMessage(pay({ orderNo: made.orderNo }))).toContain('已支付')
})

it('TMP-2, PAY-2 the dialog pays the order at the counter by its number', async () => {
  const relation = await seedRelation(5)
  const made = await prepay(relation)
  const methods = [{ method: 'transfer', amount: made.amount }] as const
  const paid = await t.call(payOrderOffline, { orderNo: made.orderNo, methods }, me)
  const link = await t.call(getPayLink, { orderNo: made.orderNo }, me)
  expect(link).toMatchObject({
    state: 'paid',
    isPrepaid: true,
    recordId: paid.recordId,
    payMethod: 'transfer',
  })
})

it('TMP-2 cancelled unpaid: the bills go and charging is where it stood, however often', async () => {
  const relation = await seedRelation(1)
  const made = await prepay(relation)
  const withdrawn = { bills: 0, paid: 0, billedTo: '2026-11-30', order: 'closed' }
  await Promise.all([1, 2, 3].map(() => t.call(closeOrder, { orderNo: made.orderNo }, me)))
  expect(await readState(relation, made.orderNo)).toEqual(withdrawn)
  await t.call(closeOrder, { orderNo: made.orderNo }, me)
  expect(await readState(relation, made.orderNo)).toEqual(withdrawn)
  // The same periods may be prepaid again.
  const again = await prepay(relation)
  expect(await readState(relation, again.orderNo)).toMatchObject({ bills: 2, billedTo: '2027-01-31' })
  await t.call(closeOrder, { orderNo: again.orderNo }, me)
})

it('TMP-2 two cashiers prepay at once: one has the periods, the other the next ones or a refusal', async () => {
  const relation = await seedRelation(2)
  const made = await Promise.allSettled([prepay(relation), prepay(relation)])
  const orders = made.flatMap(m => (m.status === 'fulfilled' ? [m.value] : []))
  expect(orders.length).toBeGreaterThan(0)
  expect((await readState(relation, defined(orders[0]).orderNo)).bills).toBe(orders.length * 2)
  for (const order of orders) {
    await t.call(closeOrder, { orderNo: order.orderNo }, me)
  }
  expect(await readState(relation, defined(orders[0]).orderNo)).toMatchObject({
    bills: 0,
    billedTo: '2026-11-30',
  })
})

it('TMP-2 paid and cancelled at once: either paid whole or gone whole', async () => {
  const relation = await seedRelation(3)
  const made = await prepay(relation)
  await Promise.allSettled([
    t.call(
      payBills,
      {
        projectCode: project,
        billIds: made.ids,
        expectAmount: made.amount,
        methods: [{ method: 'cash', amount: made.amount }],
        orderNo: made.orderNo,
      },
      me,
    ),
    t.call(closeOrder, { orderNo: made.orderNo }, me),
  ])
  const state = await readState(relation, made.orderNo)
  expect(state).toEqual(
    state.order === 'paid'
      ? { bills: 2, paid: 2, billedTo: '2027-01-31', order: 'paid' }
      : { bills: 0, paid: 0, billedTo: '2026-11-30', order: 'closed' },
  )
})

it('TMP-2 the expiry job removes what nobody paid; a second order of the bills alone does the same', async () => {
  const relation = await seedRelation(4)
  const made = await prepay(relation)
  t.advanceClock(16 * 60_000)
  // The hold is over, the job has not run: another cashier opens an order for the same bills.
  const second = await t.call(
    createOrder,
    { projectCode: project, billIds: made.ids, expectAmount: made.amount },
    me,
  )
  await maintainOrders(t.app, neverAborted)
  expect(await readState(relation, made.orderNo)).toEqual({
    bills: 2,
    paid: 0,
    billedTo: '2027-01-31',
    order: 'closed',
  })
  t.advanceClock(16 * 60_000)
  await maintainOrders(t.app, neverAborted)
  await maintainOrders(t.app, neverAborted)
  expect(await readState(relation, second.orderNo)).toEqual({
    bills: 0,
    paid: 0,
    billedTo: '2026-11-30',
    order: 'closed',
  })
})
