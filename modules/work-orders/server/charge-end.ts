import { requireById, update } from '#kit/server/table.ts'
import { refundPaidBill } from '#modules/payments/server/public.ts'
import { charge, type Charge } from '../contract/charge.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { abolishBill, findCharge } from './order-cost.ts'
import type { OrderContext } from './order-context.ts'

/** Gives the whole of a paid cost back, the way it came; the cost follows when the refund is through. */
export async function refundPaid(c: OrderContext, paid: Charge, reason: string): Promise<void> {
  if (!paid.billId) return
  await refundPaidBill(c.tx, c.scope, paid.billId, reason, c.now)
}

/**
 * The order ends without its cost: what is owed is owed no more, what was paid goes back. Returns the order
 * as it is then: a refund that is through at once has changed it already.
 */
export async function withdrawCharge(c: OrderContext, order: WorkOrder, reason: string): Promise<WorkOrder> {
  const { tx, scope } = c
  const stands = await findCharge(tx, scope, order.id)
  if (!stands) return order
  if (stands.state === 'paid') {
    await refundPaid(c, stands, reason)
    return requireById(tx, workOrder, scope, order.id, { lock: true })
  }
  await abolishBill(c, stands, reason)
  await update(tx, charge, scope, stands.id, { state: 'abolished' }, { reason })
  return order
}

/** What the order says of its cost once it has ended without it. */
export const withoutCharge = (order: WorkOrder): Pick<WorkOrder, 'payState'> =>
  order.payState === 'unpaid' ? { payState: 'abolished' } : {}
