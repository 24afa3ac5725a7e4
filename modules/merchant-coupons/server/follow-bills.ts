import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sumFen } from '#kit/domain/money.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { onBillsChanged, findOrderBills, findOrdersOfBills } from '#modules/bills/server/public.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { onPaid, onRefundDeclined } from '#modules/payments/server/public.ts'
import type { MerchantOrderState } from '../contract/choices.ts'
import { merchantOrder, type MerchantOrder, type MerchantOrderDetail } from '../contract/order.ts'
import { stateOfBills } from '../domain/order-state.ts'
import { moveSold } from './coupons.ts'
import { merchantOrderRef } from './order-ref.ts'
import { putBackRefund } from './order-refund.ts'
import { grant, takeBack } from './order-stock.ts'
import { findDetails } from './orders.ts'

/** The cashier may know nothing of merchants: this is the product's own step. */
export const ownScope = (scope: Scope): Scope => ({
  ...systemScope(scope.ownerId, scope.time),
  operatorId: scope.operatorId,
  name: scope.name,
})

const nowOf = ({ time }: Scope) => fromInstant(Date.parse(time))

const isOrdered = (state: MerchantOrderState): boolean => state === 'pending' || state === 'paid'

/** From what the merchant has of the order now to what it is to have. */
async function moveCoupons(
  tx: Tx,
  own: Scope,
  order: MerchantOrder,
  details: readonly MerchantOrderDetail[],
  state: MerchantOrderState,
): Promise<void> {
  const moves = details.map(({ couponId, qty, refundedQty }) => ({ couponId, qty: qty - refundedQty }))
  if (isOrdered(state) && !isOrdered(order.state)) {
    await moveSold(tx, own, moves)
  }
  if (state === 'paid' && order.state !== 'paid') {
    await grant(tx, own, order, details)
  }
  if (state !== 'paid' && order.state === 'paid') {
    await takeBack(tx, own, order, details)
  }
  if (!isOrdered(state) && isOrdered(order.state)) {
    await moveSold(
      tx,
      own,
      moves.map(({ couponId, qty }) => ({ couponId, qty: -qty })),
    )
  }
}

async function findMethod(tx: Tx, ownerId: Id, billId: Id | undefined): Promise<MerchantOrder['payMethod']> {
  if (billId === undefined) return undefined
  const row = await tx.one<{ method: number }>(sql`
    select r.pay_method as method
    from pay_detail d
    join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id
    where d.owner_id = ${ownerId} and d.bill_id = ${billId}
    order by r.id desc
    limit 1
  `)
  return row && keyOf(payMethod, row.method)
}

/**
 * An order is what its bills say, in the transaction that changes them: paid, the merchant has its coupons,
 * and has them no more when the money is gone (PAY-4). Its own refund has taken them before.
 */
async function followBills(tx: Tx, scope: Scope, orderId: Id, refundId?: Id): Promise<void> {
  const own = ownScope(scope)
  const order = await requireById(tx, merchantOrder, own, orderId, { lock: true })
  const bills = await findOrderBills(tx, own.ownerId, merchantOrderRef, orderId)
  const byBills = stateOfBills({ count: bills.length, isPaid: bills.every(b => b.isPaid) }, order.state)
  const isOwnRefund = order.refundId !== undefined && byBills !== 'pending'
  const isRefunded = order.state === 'refunded' || (isOwnRefund && order.refundId === refundId)
  const state = byBills === 'paid' && isRefunded ? 'refunded' : byBills
  if (!isOwnRefund) {
    await moveCoupons(tx, own, order, await findDetails(tx, own, orderId), state)
  }
  const isOwed = state === 'pending' || state === 'cancelled'
  await update(tx, merchantOrder, own, orderId, {
    state,
    ...(state === 'refunded' ? {} : { paidAmount: sumFen(bills.map(bill => bill.paid)) }),
    payTime: isOwed ? undefined : (order.payTime ?? nowOf(own)),
    payMethod: isOwed ? undefined : (order.payMethod ?? (await findMethod(tx, own.ownerId, bills[0]?.id))),
    ...(state === 'refunded' && order.state !== 'refunded' ? { refundTime: nowOf(own) } : {}),
  })
}

onPaid(async (tx, scope, { billIds, refTypes, kind, refundId }) => {
  if (!billIds.length || refTypes?.has(merchantOrderRef) === false) return
  for (const { id } of await findOrdersOfBills(tx, scope.ownerId, merchantOrderRef, billIds)) {
    await followBills(tx, scope, id, kind === 'refunded' ? refundId : undefined)
  }
})

onBillsChanged(async (tx, scope, { bills }) => {
  const ids = bills.filter(bill => bill.refType === merchantOrderRef).map(bill => bill.id)
  if (!ids.length) return
  for (const { id } of await findOrdersOfBills(tx, scope.ownerId, merchantOrderRef, ids)) {
    await followBills(tx, scope, id)
  }
})

onRefundDeclined(async (tx, scope, { billIds }) => {
  const own = ownScope(scope)
  for (const { id } of await findOrdersOfBills(tx, scope.ownerId, merchantOrderRef, billIds)) {
    const order = await requireById(tx, merchantOrder, own, id, { lock: true })
    if (order.state === 'paid' && order.refundId !== undefined) {
      await putBackRefund(tx, own, order)
    }
  }
})
