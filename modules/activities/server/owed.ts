import type { Id } from '#kit/domain/id.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { findBillsOfOrders, payableBills } from '#modules/bills/server/public.ts'
import { ownScope, type ActivityContext } from './context.ts'
import { activityFeeRef } from './fee-ref.ts'

/**
 * What the bills of a sign-up ask for today: principal and late fee, as 我的账单 shows them; nothing while the
 * property company has not audited them (GEN-8).
 */
export async function owedBySign({ tx, scope, today }: ActivityContext, id: Id): Promise<Fen> {
  const own = ownScope(scope)
  const found = await findBillsOfOrders(tx, own.ownerId, activityFeeRef, [id])
  const open = found.filter(({ isPaid }) => !isPaid).map(bill => bill.id)
  const bills = await payableBills(tx, own, open, today)
  const payable = bills.filter(({ row }) => row.state === 'normal')
  return sumFen(payable.flatMap(({ owed }) => [owed.principal, owed.late]))
}
