import type { RowValues } from '#kit/contract/shape.ts'
import { update } from '#kit/server/table.ts'
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

/** The order ends without its cost: what is owed is owed no more, what was paid goes back. */
export async function withdrawCharge(
  c: OrderContext,
  order: WorkOrder,
  reason: string,
): Promise<RowValues<typeof workOrder.fields>> {
  const stands = await findCharge(c.tx, c.scope, order.id)
  if (!stands) return {}
  if (stands.state === 'paid') {
    await refundPaid(c, stands, reason)
    return {}
  }
  await abolishBill(c, stands, reason)
  await update(c.tx, charge, c.scope, stands.id, { state: 'abolished' }, { reason })
  return { payState: stands.state === 'free' ? order.payState : 'abolished' }
}
