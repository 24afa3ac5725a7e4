import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clockScope } from '#kit/server/scope.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { markBills, mergeBill, splitBill } from '../contract/adjustments.ts'
import { getBill } from '../contract/bill-detail.ts'
import { seedBillRows, seedFeeItem } from './fixtures.ts'
import { bookRefund, payableBills, bookPayment } from './ledger.ts'
import { undoBooking } from './ledger-undo.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let k = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  item = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'HALVES', { late: 'capped' }))
})

afterAll(() => t?.close())

/** 300.00 due on 07-31 at 0.05 % a day. */
const makeBill = async (): Promise<Id> =>
  defined(
    (
      await t.database.tx(ownerId, tx =>
        seedBillRows(tx, ownerId, item, [{ source: `HALF${++k}`, type: 20 }]),
      )
    )[0],
  )

const findBill = (id: Id) => t.call(getBill, { id }, me)

const pay = (ids: readonly Id[], day: Day, id: Id) =>
  t.database.tx(ownerId, async tx => {
    const list = await payableBills(tx, clockScope(t.app, ownerId), ids, day, { lock: true })
    await bookPayment(
      tx,
      clockScope(t.app, ownerId),
      list,
      list.map(s => ({ billId: s.row.id, principal: s.owed.principal, late: 0 })),
      { day, at: `${day} 10:00:00`, from: { type: 'pay', id } },
    )
  })

const back = (allocations: readonly { billId: Id; principal: Fen; late: Fen }[], day: Day, id: Id) =>
  t.database.tx(ownerId, tx =>
    bookRefund(tx, clockScope(t.app, ownerId), allocations, 'owed', { day, from: { type: 'refund', id } }),
  )

const undo = (id: Id) =>
  t.database.tx(ownerId, tx => undoBooking(tx, clockScope(t.app, ownerId), { type: 'refund', id }))

const split = async (id: Id, amount: Fen): Promise<[Id, Id]> => {
  const [first, second] = await t.call(splitBill, { id, amount, reason: '分开缴' }, me)
  return [defined(first).id, defined(second).id]
}

const merge = (id: Id) => t.call(mergeBill, { id, reason: '不再分开' }, me)

it('LATE-11: what was paid and paid back on halves is the whole bill’s once they are merged, its days are not charged again', async () => {
  const a = await makeBill()
  const halves = await split(a, asFen(10_000))
  await pay(halves, '2026-07-31', asId(9001))
  await back(
    [
      { billId: halves[0], principal: asFen(10_000), late: 0 },
      { billId: halves[1], principal: asFen(20_000), late: 0 },
    ],
    '2026-11-11',
    asId(9002),
  )
  await t.call(markBills, { ids: [String(halves[1])], disputed: true, promiseDate: '2026-12-01' }, me)
  const merged = await merge(a)
  // Held from 07-31 to 11-11: 300.00 × 0.05 % × 10 days, not × 113.
  expect(merged).toMatchObject({
    state: 'normal',
    receivable: 30_000,
    refundState: 'full',
    lateFeeDue: 150,
    disputed: true,
    promiseDate: '2026-12-01',
  })
  expect((await findBill(a)).moves).toEqual([
    { day: '2026-07-31', principal: 30_000, lateFee: 0 },
    { day: '2026-11-11', principal: -30_000, lateFee: 0 },
  ])
  // The refund taken back pays the whole; refunded again under the halves' names it is owed again.
  await undo(asId(9002))
  expect(await findBill(a)).toMatchObject({ paidPrincipal: 30_000, refundState: 'none' })
  await back(
    [
      { billId: halves[0], principal: asFen(10_000), late: 0 },
      { billId: halves[1], principal: asFen(20_000), late: 0 },
    ],
    '2026-11-16',
    asId(9003),
  )
  expect(await findBill(a)).toMatchObject({
    payState: 'unpaid',
    paidPrincipal: 0,
    refundState: 'full',
    lateFeeDue: 75,
  })
})

it('LATE-11: halves of a bill that was paid and paid back have their share of it, to the fen, and give it back with the whole', async () => {
  const a = await makeBill()
  await pay([a], '2026-07-31', asId(9011))
  await back([{ billId: a, principal: asFen(3333), late: 0 }], '2026-11-01', asId(9012))
  await back([{ billId: a, principal: asFen(26_667), late: 0 }], '2026-11-11', asId(9013))
  const before = (await findBill(a)).lateFeeDue
  const [one, two] = await split(a, asFen(10_001))
  const [x, y] = [await findBill(one), await findBill(two)]
  expect([
    x.refundState,
    y.refundState,
    x.moves.reduce((n, m) => n + m.principal, 0),
    y.moves.reduce((n, m) => n + m.principal, 0),
  ]).toEqual(['full', 'full', 0, 0])
  expect(x.moves.map((m, i) => m.principal + defined(y.moves[i]).principal)).toEqual([30_000, -3333, -26_667])
  expect(x.lateFeeDue + y.lateFeeDue).toBe(before)
  expect(await refusalMessageOf(undo(asId(9013)))).toContain('请先合并还原')
  expect(await merge(a)).toMatchObject({ state: 'normal', refundState: 'full', lateFeeDue: before })
  expect((await findBill(a)).moves.length).toBe(3)
  await undo(asId(9013))
  expect(await findBill(a)).toMatchObject({ paidPrincipal: 26_667 })
})
