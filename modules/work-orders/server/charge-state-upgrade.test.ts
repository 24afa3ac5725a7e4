import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { MIGRATIONS } from '#kit/server/postgres/migrate.ts'
import { splitStatements } from '#kit/server/postgres/sql-split.ts'
import { createPaymentOrder } from '../contract/charge.ts'
import { getOrder } from '../contract/order.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { openBillFixture, type BillFixture } from './order-bill.fixtures.ts'
import type { OrderFixture } from './order.fixtures.ts'

let b: BillFixture
let w: OrderFixture

beforeAll(async () => {
  b = await openBillFixture()
  w = b.w
})

afterAll(() => w?.close())

const upgrade = readFileSync(join(MIGRATIONS, '20261128-1210-work-order-charge-state.sql'), 'utf8')

/** Part of it paid and refunded; the bill owed again, or abolished with it. */
async function refunded(billAfter: 'owed' | 'abolished'): Promise<WorkOrder> {
  const order = await b.finished(asFen(5000))
  const { recordId } = await b.payCash(order, asFen(2000))
  await b.refund(recordId, billAfter)
  return order
}

it('WO-8: a cost that an earlier version called refunded is what its bill says', async () => {
  const [owed, abolished] = [await refunded('owed'), await refunded('abolished')]
  await w.t.database.tx('*', async tx => {
    // As the version before left it.
    await tx.execute(sql`update work_order_charge set state = 2, paid_amount = 0 where order_id = ${owed.id}`)
    await tx.execute(sql`update work_order set pay_state = 2 where id = ${owed.id}`)
    for (const statement of splitStatements(upgrade)) {
      await tx.execute(sql.raw(statement))
    }
  })
  const read = (order: WorkOrder) => w.t.call(getOrder, { id: order.id }, w.front)
  expect(await b.chargeOf(owed)).toMatchObject({ state: 'unpaid', paidAmount: 0 })
  expect(await read(owed)).toMatchObject({ state: 'unpaid', payState: 'unpaid', payableCost: 5000 })
  expect((await w.t.call(createPaymentOrder, { orderId: owed.id }, w.supervisor)).amount).toBe(5000)
  expect(await b.chargeOf(abolished)).toMatchObject({ state: 'refunded' })
  expect(await read(abolished)).toMatchObject({ payState: 'refunded' })
})
