import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { requireById, update } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { discountBills, waiveLateFees } from '#modules/bills/server/public.ts'
import { findOpenBillRefunds, refundPaidBills } from '#modules/payments/server/public.ts'
import { charge, type Charge } from '../contract/charge.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { describeOpenRefunds, findChargeBills, paidOfBill, type ChargeBill } from './charge-bills.ts'
import { abolishBills, findCharge } from './order-cost.ts'
import type { OrderContext } from './order-context.ts'
import { assertNotPaying } from './pay-order.ts'

/** Gives what was paid of a cost back, the way it came; the cost follows when the refund is through. */
export async function refundPaid(c: OrderContext, paid: Charge, reason: string): Promise<void> {
  const bills = await findChargeBills(c.tx, c.scope.ownerId, paid)
  const paidIds = bills.flatMap(part => (paidOfBill(part) > 0 ? [part.id] : []))
  await refundPaidBills(c.tx, c.scope, paidIds, reason, c.now)
}

/**
 * Nobody pays the rest of an order that has ended, whether its refund is through at once, is still to be
 * approved or is refused: then what was paid is kept, and no more is owed.
 */
async function waiveRest(c: OrderContext, bills: readonly ChargeBill[], reason: string): Promise<void> {
  const owed = bills.filter(part => part.isOwed)
  const untouched = owed.filter(part => paidOfBill(part) === 0)
  await abolishBills(
    c,
    untouched.map(part => part.id),
    reason,
  )
  for (const { id } of owed.filter(part => paidOfBill(part) > 0)) {
    await waiveBill(c, id, reason)
  }
}

/** The principal that is not paid, then what that leaves of the late fee. */
async function waiveBill(c: OrderContext, id: Id, reason: string): Promise<void> {
  const { tx, scope, today, now } = c
  const context = { scope, today, now, reason }
  const assertDone = ({ success, rows }: BulkResult): void => {
    if (success !== 1) refuse(`工单的余款不能减免：${rows[0]?.reason ?? '账单不能减免'}`)
  }
  const row = await requireById(tx, bill, scope, id)
  if (row.unpaidPrincipal > 0) {
    const amount = subtractFen(row.amount, row.paidPrincipal)
    assertDone(await discountBills(tx, context, { ids: [String(id)], kind: 'amount', amount, reason }))
  }
  const after = await requireById(tx, bill, scope, id)
  if (after.payState !== 'paid') {
    assertDone(await waiveLateFees(tx, context, [id], reason))
  }
}

/**
 * What was paid and is not asked back yet. A refund on its way that leaves its bill to be paid, or as paid,
 * would undo the end of the order once it is through.
 */
async function sumUnasked(c: OrderContext, bills: readonly ChargeBill[]): Promise<Fen> {
  const ids = bills.map(part => part.id)
  const refunds = await findOpenBillRefunds(c.tx, c.scope.ownerId, ids)
  const kept = refunds.filter(refund => refund.billAfter !== 'abolished')
  if (kept.length)
    refuse(`${describeOpenRefunds(kept)}，退款后账单不作废；请先办结或取消退款，再关闭或取消工单`)
  return subtractFen(sumFen(bills.map(paidOfBill)), sumFen(refunds.map(refund => refund.amount)))
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
  const currentCharge = await findCharge(tx, scope, order.id)
  await assertNotPaying(c, currentCharge, '关闭或取消工单')
  const bills = currentCharge ? await findChargeBills(tx, scope.ownerId, currentCharge) : []
  if (currentCharge && bills.some(part => paidOfBill(part) > 0)) {
    const unasked = await sumUnasked(c, bills)
    // Ended first: an order that waited for its payment would go on by the refund.
    await end({})
    await waiveRest(c, bills, reason)
    if (unasked > 0) {
      await refundPaid(c, currentCharge, reason)
    }
    return requireById(tx, workOrder, scope, order.id, { lock: true })
  }
  // A bill that was kept as paid when its money was refunded is settled.
  if (currentCharge && currentCharge.state !== 'paid') {
    await update(tx, charge, scope, currentCharge.id, { state: 'abolished' }, { reason })
    await abolishBills(c, currentCharge.state === 'unpaid' ? bills.map(part => part.id) : [], reason)
  }
  return end(order.payState === 'unpaid' ? { payState: 'abolished' } : {})
}
