import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { releaseBills } from '#modules/bills/server/public.ts'
import { notifySource, payMethod } from '../contract/choices.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { offlineOrderRefusal } from '../domain/order.ts'
import { findOrder } from './order-lookup.ts'
import { markPaid } from './order-state.ts'
import type { PayMethod } from './tenders.ts'

/** Locks an order to be paid at the counter with exactly its bills; refuses one that cannot be. */
export async function lockOfflineOrder(
  tx: Tx,
  scope: Scope,
  orderNo: string,
  billIds: readonly Id[],
  now: Moment,
): Promise<PayOrder> {
  const { id } = await findOrder(tx, scope, orderNo)
  const order = await requireById(tx, payOrder, scope, id, { lock: true })
  const refusal = offlineOrderRefusal(order, billIds, now)
  if (refusal) refuse(refusal)
  return order
}

/** The order is paid by a record of the counter; its bills are let go. */
export async function markPaidOffline(
  tx: Tx,
  scope: Scope,
  order: PayOrder,
  payment: { readonly recordId: Id; readonly method: PayMethod; readonly at: Moment },
): Promise<void> {
  await markPaid(tx, scope, order, {
    paid_time: payment.at,
    notify_source: Number(codeOf(notifySource, 'offline')),
    record_id: payment.recordId,
    pay_method: Number(codeOf(payMethod, payment.method)),
    fail_reason: null,
  })
  await releaseBills(tx, scope.ownerId, order.id)
}
