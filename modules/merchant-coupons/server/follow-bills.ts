import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { addFen, asFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { onBillsChanged, findOrderBills, findOrdersOfBills } from '#modules/bills/server/public.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { onPaid, onRefundDeclined } from '#modules/payments/server/public.ts'
import type { MerchantOrderState } from '../contract/choices.ts'
import { merchantOrder, type MerchantOrder, type MerchantOrderDetail } from '../contract/order.ts'
import { isBought, stateOfBills } from '../domain/order-state.ts'
import { moveSold } from './coupons.ts'
import { merchantOrderRef } from './order-ref.ts'
import { finishReturn, putBackReturn, sumReturns } from './order-returns.ts'
import { grant, takeBack } from './order-stock.ts'
import { findDetails } from './orders.ts'

/** The cashier may know nothing of merchants: this is the product's own step. */
export const ownScope = (scope: Scope): Scope => ({
  ...systemScope(scope.ownerId, scope.time),
  operatorId: scope.operatorId,
  name: scope.name,
})

const nowOf = ({ time }: Scope) => fromInstant(Date.parse(time))

const isOrdered = (state: MerchantOrderState): boolean => state === 'pending' || isBought(state)

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
  if (isBought(state) && !isBought(order.state)) {
    await grant(tx, own, order, details)
  }
  if (!isBought(state) && isBought(order.state)) {
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

/** What was paid for an order and went back; one that was refunded with its bills went back whole. */
async function moneyOf(
  tx: Tx,
  own: Scope,
  order: MerchantOrder,
  state: MerchantOrderState,
  paid: Fen,
): Promise<Pick<MerchantOrder, 'paidAmount' | 'refundedQty' | 'refundedAmount' | 'netAmount'>> {
  const { paidAmount, totalQty } = order
  if (state === 'refunded')
    return { paidAmount, refundedQty: totalQty, refundedAmount: paidAmount, netAmount: asFen(0) }
  const returned = await sumReturns(tx, own, order.id)
  return { ...returned, paidAmount: addFen(paid, returned.refundedAmount), netAmount: paid }
}

/**
 * An order is what its bills say, in the transaction that changes them: paid, the merchant has its coupons,
 * and has them no more when the money is gone (PAY-4). Its own return has taken them before.
 */
async function followBills(tx: Tx, scope: Scope, orderId: Id, refundId?: Id): Promise<void> {
  const own = ownScope(scope)
  const before = await requireById(tx, merchantOrder, own, orderId, { lock: true })
  const isOwn = refundId !== undefined && before.refundId === refundId
  const order = isOwn ? await finishReturn(tx, own, before, refundId, nowOf(own)) : before
  const bills = await findOrderBills(tx, own.ownerId, merchantOrderRef, orderId)
  // The bill goes before the return that abolishes it is through.
  if (order.refundId !== undefined && bills.length === 0) return
  const facts = { count: bills.length, isPaid: bills.every(b => b.isPaid) }
  const returned = await sumReturns(tx, own, orderId)
  const state = stateOfBills(facts, { ...order, ...returned })
  await moveCoupons(tx, own, order, await findDetails(tx, own, orderId), state)
  const isOwed = state === 'pending' || state === 'cancelled'
  await update(tx, merchantOrder, own, orderId, {
    state,
    ...(await moneyOf(tx, own, order, state, sumFen(bills.map(bill => bill.paid)))),
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

onRefundDeclined(async (tx, scope, { refundId, billIds }) => {
  const own = ownScope(scope)
  for (const { id } of await findOrdersOfBills(tx, scope.ownerId, merchantOrderRef, billIds)) {
    const order = await requireById(tx, merchantOrder, own, id, { lock: true })
    if (order.refundId === refundId) {
      await putBackReturn(tx, own, order)
    }
  }
})
