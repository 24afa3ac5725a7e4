import { asId, type Id } from '#kit/domain/id.ts'
import { compare } from '#kit/domain/decimal.ts'
import { invalidField, invalidInput, refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import {
  closeOrder,
  exportOrders,
  placeOrder,
  purchaseOrder,
  purchaseOrders,
  type PurchaseOrder,
} from '../contract/order.ts'
import type { Purchase } from '../contract/purchase.ts'
import { amountOf, totalOf } from '../domain/amounts.ts'
import { placeFaults } from '../domain/faults.ts'
import { orderLimitFaults } from '../domain/limits.ts'
import { actionRefusal, orderRefusal } from '../domain/states.ts'
import { lockPurchase, ordersOf, settle } from './progress.ts'
import { assertNamed, loadSetting } from './setting.ts'
import { requireUsableSupplier } from './supplier.ts'

const orderPrefix = 'CD'

type Placed = NonNullable<typeof placeOrder.input.T>

/** The lines of an order: what the request calls them, and how many at which price. */
function orderLines(sent: Placed['lines'], { lines }: Purchase): PurchaseOrder['lines'] {
  return sent.flatMap(({ lineNo, quantity, price, priceReason }) => {
    const line = lines.find(each => each.lineNo === lineNo)
    if (!line) return []
    const { itemName, spec, unit } = line
    const amount = amountOf(quantity, price)
    return [{ lineNo, itemName, spec, unit, quantity, price, priceReason, amount, receivedQuantity: '0' }]
  })
}

async function place(input: Placed, c: WriteContext): Promise<PurchaseOrder> {
  const { tx, scope, today } = c
  const { purchaseId, lines: sent, ...fields } = input
  const locked = await lockPurchase(tx, scope, asId(purchaseId))
  const { allowsAhead, buyerIds, orderTolerance } = await loadSetting(tx, scope)
  assertNamed(buyerIds, scope.operatorId, '下单')
  const refusal = actionRefusal('order', locked.state, { ...locked, allowsAhead })
  if (refusal) refuse(refusal)
  await requireUsableSupplier(tx, scope, fields.supplierId)
  if (fields.deliverDate < today) throw invalidField('DeliverDate', '要求到货日期不能早于今天')
  const faults = placeFaults(sent, locked.lines)
  if (faults.length) throw invalidInput(faults)
  const orders = await ordersOf(tx, scope, locked.id)
  const beyond = orderLimitFaults(sent, { ...locked, orders }, orderTolerance)
  if (beyond.length) throw invalidInput(beyond)
  const lines = orderLines(sent, locked)
  const added = await insert(tx, purchaseOrder, scope, {
    ...fields,
    projectCode: locked.projectCode,
    orderNo: await tx.numbers.next(scope.ownerId, orderPrefix, today),
    purchaseId: locked.id,
    orderDate: today,
    buyerId: scope.operatorId,
    buyerName: scope.name,
    lines,
    amount: totalOf(lines),
    receivedAmount: 0,
    isAhead: locked.state === 'approving',
    state: 'open',
  })
  await settle(tx, scope, locked)
  return added
}

/** The order with its purchase locked first: that lock holds all that belongs to it. */
export async function lockOrder(
  { tx, scope }: Pick<WriteContext, 'tx' | 'scope'>,
  id: Id,
): Promise<{ readonly order: PurchaseOrder; readonly locked: Purchase }> {
  const { purchaseId } = await requireById(tx, purchaseOrder, scope, id)
  const locked = await lockPurchase(tx, scope, purchaseId)
  return { order: await requireById(tx, purchaseOrder, scope, id), locked }
}

async function close(id: Id, reason: string, c: WriteContext): Promise<PurchaseOrder> {
  const { tx, scope } = c
  const { order, locked } = await lockOrder(c, id)
  const refusal = orderRefusal('关闭', order.state)
  if (refusal) refuse(refusal)
  const hasCome = order.lines.some(line => compare(line.receivedQuantity, '0') > 0)
  const state = hasCome ? 'closed' : 'cancelled'
  await update(tx, purchaseOrder, scope, id, { state, endReason: reason }, { reason })
  await settle(tx, scope, locked)
  return requireById(tx, purchaseOrder, scope, id)
}

export const orderServer = crudHandlers(purchaseOrders, {
  export: exportOrders,
  // By what is in it, too.
  keyword: (word, { scope: { ownerId } }) => sql`(
    strpos(t.order_no, ${word}) > 0
    or exists (
      select 1
      from purchase p
      where p.owner_id = ${ownerId}
        and p.id = t.purchase_id
        and (strpos(p.purchase_no, ${word}) > 0 or strpos(p.title, ${word}) > 0 or strpos(p.item_names, ${word}) > 0)
    )
    or exists (
      select 1
      from supplier s
      where s.owner_id = ${ownerId} and s.id = t.supplier_id and strpos(s.supplier_name, ${word}) > 0
    )
  )`,
})

export const orderHandlers = [
  writes(placeOrder, place),
  writes(closeOrder, ({ id, reason }, c) => close(asId(id), reason, c)),
]
