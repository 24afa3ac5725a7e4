import { asId, type Id } from '#kit/domain/id.ts'
import { compare } from '#kit/domain/decimal.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, requireById, update } from '#kit/server/table.ts'
import { purchaseState } from '../contract/choices.ts'
import { purchaseOrder, type PurchaseOrder } from '../contract/order.ts'
import { purchase, type Purchase } from '../contract/purchase.ts'
import { purchaseReceipt, type PurchaseReceipt } from '../contract/receipt.ts'
import { progressOf, type OrderProgress } from '../domain/progress.ts'
import { loadSetting } from './setting.ts'

/**
 * The purchase, locked: every change of it, of its orders and of its receipts begins here, so that two of
 * them never are side by side.
 */
export async function lockPurchase(tx: Tx, scope: Scope, id: Id): Promise<Purchase> {
  await requireById(tx, purchase, scope, id, { lock: true })
  // Read again: who waited for the lock sees what is stored now.
  return requireById(tx, purchase, scope, id)
}

export const ordersOf = (db: Db, scope: Scope, purchaseId: Id): Promise<PurchaseOrder[]> =>
  findAll(db, purchaseOrder, scope, {}, { where: [sql`t.purchase_id = ${purchaseId}`] })

/** Whether a receipt was taken back is in the reversal. */
export async function markReversed(
  db: Db,
  { ownerId }: Scope,
  receipts: readonly PurchaseReceipt[],
): Promise<PurchaseReceipt[]> {
  if (!receipts.length) return []
  const rows = await db.rows<{ id: Id }>(sql`
    select reverse_of as id
    from purchase_receipt
    where owner_id = ${ownerId} and reverse_of = any(${receipts.map(({ id }) => id)}::bigint[])
  `)
  const reversed = new Set(rows.map(row => row.id))
  return receipts.map(receipt => ({ ...receipt, isReversed: reversed.has(receipt.id) }))
}

export const receiptsOf = async (db: Db, scope: Scope, purchaseId: Id): Promise<PurchaseReceipt[]> =>
  markReversed(
    db,
    scope,
    await findAll(db, purchaseReceipt, scope, {}, { where: [sql`t.purchase_id = ${purchaseId}`] }),
  )

function hasChanged(order: PurchaseOrder, progress: OrderProgress): boolean {
  return (
    order.state !== progress.state ||
    order.receivedAmount !== progress.receivedAmount ||
    order.lines.some(line => compare(line.receivedQuantity, progress.received.get(line.lineNo) ?? '0') !== 0)
  )
}

async function saveOrders(
  tx: Tx,
  scope: Scope,
  orders: readonly PurchaseOrder[],
  progress: readonly OrderProgress[],
): Promise<void> {
  const byId = new Map(orders.map(order => [order.id, order]))
  for (const each of progress) {
    const order = byId.get(asId(each.id))
    if (order && hasChanged(order, each)) {
      await update(tx, purchaseOrder, scope, order.id, {
        state: each.state,
        receivedAmount: each.receivedAmount,
        lines: order.lines.map(line => ({
          ...line,
          receivedQuantity: each.received.get(line.lineNo) ?? '0',
        })),
      })
    }
  }
}

/**
 * Stores a change of a locked purchase, and with it every figure and state that its lines, orders and
 * receipts give now.
 */
export async function settle(
  tx: Tx,
  scope: Scope,
  locked: Purchase,
  patch: Partial<Purchase> = {},
  reason?: string,
): Promise<Purchase> {
  const changed = { ...locked, ...patch }
  const { allowsAhead } = await loadSetting(tx, scope)
  const orders = await ordersOf(tx, scope, locked.id)
  const receipts = await receiptsOf(tx, scope, locked.id)
  const facts = { ...changed, allowsAhead, isClosed: changed.closeTime !== undefined }
  const progress = progressOf(facts, orders, receipts)
  await saveOrders(tx, scope, orders, progress.orders)
  const { state, awaitsOrder, orderedAmount, receivedAmount, ordered, received } = progress
  const reset = {
    ...(state === 'approving' ? {} : { isReturned: false, returnReason: undefined }),
    // Closed with what had come: once all of it was taken back, nothing is closed any more.
    ...(changed.closeTime !== undefined && state !== 'done'
      ? { closeTime: undefined, endReason: undefined }
      : {}),
  }
  const lines = changed.lines.map(line => ({
    ...line,
    orderedQuantity: ordered.get(line.lineNo) ?? '0',
    receivedQuantity: received.get(line.lineNo) ?? '0',
  }))
  return update(
    tx,
    purchase,
    scope,
    locked.id,
    { ...patch, ...reset, state, awaitsOrder, orderedAmount, receivedAmount, lines },
    { reason, where: sql`t.state = ${codeOf(purchaseState, locked.state)}` },
  )
}
