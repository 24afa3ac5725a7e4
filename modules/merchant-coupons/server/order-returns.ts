import type { Id } from '#kit/domain/id.ts'
import { subtractFen, sumFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, requireById, update } from '#kit/server/table.ts'
import { orderReturnState } from '../contract/choices.ts'
import { listOrderReturns, merchantOrderReturn, type MerchantOrderReturn } from '../contract/order-return.ts'
import { merchantOrder, type MerchantOrder } from '../contract/order.ts'
import { stateOfReturns } from '../domain/order-state.ts'
import { moveReturned } from './order-stock.ts'
import { findDetails } from './orders.ts'

const findReturns = (db: Db, scope: Scope, orderId: Id): Promise<MerchantOrderReturn[]> =>
  findAll(db, merchantOrderReturn, scope, {}, { where: [sql`t.order_id = ${orderId}`] })

/** What of an order has gone back by returns of coupons. */
export async function sumReturns(db: Db, scope: Scope, orderId: Id) {
  const done = (await findReturns(db, scope, orderId)).filter(({ state }) => state === 'done')
  return {
    refundedQty: done.reduce((sum, { qty }) => sum + qty, 0),
    refundedAmount: sumFen(done.map(({ amount }) => amount)),
  }
}

/** The return of an order that this refund pays. By merchant_order_return_asked one waits at most. */
async function findAsked(
  tx: Tx,
  scope: Scope,
  orderId: Id,
  refundId: Id | undefined,
): Promise<MerchantOrderReturn | undefined> {
  const [asked] = await findAll(
    tx,
    merchantOrderReturn,
    scope,
    {},
    { where: [sql`t.order_id = ${orderId}`, sql`t.state = ${code(orderReturnState, 'asked')}`] },
  )
  return asked !== undefined && asked.refundId === refundId ? asked : undefined
}

/** The money of a return has gone back, or it has none: the order is what is left of it. */
export async function finishReturn(
  tx: Tx,
  scope: Scope,
  order: MerchantOrder,
  refundId: Id | undefined,
  now: Moment,
): Promise<MerchantOrder> {
  const asked = await findAsked(tx, scope, order.id, refundId)
  if (!asked) return order
  await update(tx, merchantOrderReturn, scope, asked.id, { state: 'done', doneTime: now })
  const returned = await sumReturns(tx, scope, order.id)
  return update(tx, merchantOrder, scope, order.id, {
    ...returned,
    netAmount: subtractFen(order.paidAmount, returned.refundedAmount),
    state: stateOfReturns({ ...order, ...returned }),
    refundId: undefined,
    refundTime: now,
  })
}

/** The refund was declined: the merchant has its coupons again. */
export async function putBackReturn(tx: Tx, scope: Scope, order: MerchantOrder): Promise<void> {
  const asked = await findAsked(tx, scope, order.id, order.refundId)
  if (!asked) return
  const qtyOf = new Map(asked.lines.map(({ detailId, qty }) => [detailId, qty]))
  const moves = (await findDetails(tx, scope, order.id))
    .filter(({ id }) => qtyOf.has(id))
    .map(detail => ({ detail, qty: -(qtyOf.get(detail.id) ?? 0) }))
  await moveReturned(tx, scope, order, moves)
  await update(tx, merchantOrderReturn, scope, asked.id, { state: 'declined' })
  await update(tx, merchantOrder, scope, order.id, { refundId: undefined })
}

export const returnHandlers = [
  reads(listOrderReturns, async ({ id }, { db, scope }) => {
    await requireById(db, merchantOrder, scope, id)
    return findReturns(db, scope, id)
  }),
]
