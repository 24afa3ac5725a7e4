import { sql } from '#kit/server/db.ts'
import { requireById, update } from '#kit/server/table.ts'
import { refundPaidBill } from '#modules/payments/server/public.ts'
import { charge, type Charge } from '../contract/charge.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { abolishBill, findCharge } from './order-cost.ts'
import type { OrderContext } from './order-context.ts'

/** Whether money was received for the cost, in part or whole, and not given back. */
async function hasPayment({ tx, scope }: OrderContext, { billId }: Charge): Promise<boolean> {
  if (!billId) return false
  const found = await tx.one(sql`
    select 1 as found
    from bill
    where owner_id = ${scope.ownerId} and id = ${billId} and paid_principal + late_fee_paid > 0
  `)
  return found !== undefined
}

/** Gives all that was paid of a cost back, the way it came; the cost follows when the refund is through. */
export async function refundPaid(c: OrderContext, paid: Charge, reason: string): Promise<void> {
  if (!paid.billId) return
  await refundPaidBill(c.tx, c.scope, paid.billId, reason, c.now)
}

type PayStateChange = Partial<Pick<WorkOrder, 'payState'>>

/**
 * The order ends without its cost: what is owed is owed no more, what was paid goes back. `end` writes the
 * end itself. Returns the order as it is then: a refund that is through at once has changed it again.
 */
export async function endWithoutCharge(
  c: OrderContext,
  order: WorkOrder,
  reason: string,
  end: (set: PayStateChange) => Promise<WorkOrder>,
): Promise<WorkOrder> {
  const { tx, scope } = c
  const stands = await findCharge(tx, scope, order.id)
  if (stands && (await hasPayment(c, stands))) {
    // Ended first: an order that waited for its payment would go on by the refund.
    await end({})
    await refundPaid(c, stands, reason)
    return requireById(tx, workOrder, scope, order.id, { lock: true })
  }
  // A bill that was kept as paid when its money was given back is settled.
  if (stands && stands.state !== 'paid') {
    await abolishBill(c, stands, reason)
    await update(tx, charge, scope, stands.id, { state: 'abolished' }, { reason })
  }
  return end(order.payState === 'unpaid' ? { payState: 'abolished' } : {})
}
