import type { Day } from '#kit/domain/day.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { findAll } from '#kit/server/table.ts'
import { orderState } from '#modules/work-orders/contract/choices.ts'
import { workOrder } from '#modules/work-orders/contract/work-order.ts'
import { ensureBill } from '#modules/work-orders/server/order-bill.ts'
import { findCharge } from '#modules/work-orders/server/order-cost.ts'

/** What waits for its payment has its bill, as if it had been finished today (WO-8). */
export async function seedOrderBills(tx: Tx, scope: Scope, today: Day): Promise<void> {
  const due = await findAll(
    tx,
    workOrder,
    scope,
    { order: 'id' },
    { where: [sql`t.state = ${code(orderState, 'unpaid')} and t.room_code is not null`] },
  )
  for (const order of due) {
    const owed = await findCharge(tx, scope, order.id)
    if (owed?.state !== 'unpaid') continue
    const outcome = await ensureBill({ tx, scope, today }, order, owed)
    if ('refusal' in outcome) throw new Error(`${order.orderNo}: ${outcome.refusal}`)
  }
}
