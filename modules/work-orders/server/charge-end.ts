import { refuse } from '#kit/contract/wire.ts'
import { subtractFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { findByIds, requireById, update } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { discountBills } from '#modules/bills/server/public.ts'
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

/**
 * Nobody pays the rest of an order that has ended, whether its refund is through at once, is still to be
 * approved or is refused: then what was paid is kept, and no more is owed.
 */
async function waiveRest(
  { tx, scope, today, now }: OrderContext,
  { billId }: Charge,
  reason: string,
): Promise<void> {
  if (!billId) return
  const [stands] = await findByIds(tx, bill, scope, [billId])
  if (!stands || stands.state !== 'normal' || stands.payState === 'paid') return
  const context = { scope, today, now, reason }
  const amount = subtractFen(stands.amount, stands.paidPrincipal)
  const result = await discountBills(tx, context, { ids: [String(billId)], kind: 'amount', amount, reason })
  if (result.success !== 1) refuse(`工单的余款不能减免：${result.rows[0]?.reason ?? '账单不能减免'}`)
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
    await waiveRest(c, stands, reason)
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
