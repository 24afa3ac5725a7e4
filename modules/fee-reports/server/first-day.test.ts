import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { findByIds } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from '../../bills/server/fixtures.ts'
import { testScope } from '../../bills/server/generate.fixtures.ts'
import { rewriteBillMonths } from '../../bills/server/stored-bill.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { getChargeStatistic } from '../contract/statistic.ts'
import { computeStatistic } from './statistic-refresh.ts'

/** A company on its first day, between two runs of the job that stores the figures of the home. */
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let items: Id[] = []
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  ownerId = t.ownerId
  items = await t.database.tx(ownerId, async tx => [
    await seedFeeItem(tx, ownerId, 'DAY1'),
    await seedFeeItem(tx, ownerId, 'DAY2'),
  ])
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update fee_item set in_rate = (id = ${defined(items[0])}) where owner_id = ${ownerId}`),
  )
})

afterAll(() => t?.close())

const seedBills = (list: readonly SeededBill[]): Promise<Id[]> =>
  t.database.tx(ownerId, async tx => {
    const ids = await seedBillRows(tx, ownerId, defined(items[0]), list)
    await rewriteBillMonths(tx, ownerId, await findByIds(tx, bill, testScope(ownerId), ids))
    return ids
  })

const readHome = () => t.call(getChargeStatistic, project, me)

const storeHome = (): Promise<void> => {
  const now = fromInstant(t.app.clock())
  return computeStatistic(t.database, ownerId, '2026-11', dayOfMoment(now), now)
}

it('STAT-13: a company without bills has no rates and nothing owed', async () => {
  await storeHome()
  const home = await readHome()
  expect(home).toMatchObject({ due: 0, paid: 0, households: 0, clear: 0, closing: 0, unpaid: 0, ages: [] })
  expect([home.currentRate, home.clearRate, home.overallRate, home.householdRate]).toEqual(
    Array.from({ length: 4 }),
  )
  expect(home.trend).toHaveLength(12)
  expect(home.days.map(d => d.day.slice(8))).toEqual(
    Array.from({ length: 21 }, (_, i) => String(i + 1).padStart(2, '0')),
  )
})

it('STAT-14: the first bills and the first payment show at once, and the ages add up to the arrears', async () => {
  const [first] = await seedBills([
    { source: 'D1', begin: '2026-11-01', end: '2026-11-30', due: '2026-11-20', amount: asFen(10_000) },
    { source: 'D2', begin: '2026-11-01', end: '2026-11-30', due: '2026-11-20', amount: asFen(30_000) },
    // A quarter of 92.00, of which 62.00 belong to later months; and an item out of the rate.
    { source: 'D3', begin: '2026-11-01', end: '2027-01-31', due: '2026-12-31', amount: asFen(9_200) },
    { source: 'D2', begin: '2026-11-01', end: '2026-11-30', item: defined(items[1]), amount: asFen(5_000) },
  ])
  expect(await readHome()).toMatchObject({
    due: 43_000,
    paid: 0,
    currentRate: '0.00%',
    households: 2,
    householdRate: '0.00%',
    closing: 43_000,
    unpaid: 54_200,
    later: 6_200,
    outOfRate: 5_000,
  })
  await storeHome()
  const amount = asFen(10_000)
  const methods = [{ method: 'cash' as const, amount }]
  await t.call(payBills, { ...project, billIds: [String(first)], expectAmount: amount, methods }, me)
  expect(await readHome()).toMatchObject({
    due: 43_000,
    paid: 10_000,
    currentRate: '23.26%',
    households: 2,
    clear: 1,
    householdRate: '50.00%',
    closing: 33_000,
    unpaid: 44_200,
    later: 6_200,
    outOfRate: 5_000,
    cash: 10_000,
  })
})
