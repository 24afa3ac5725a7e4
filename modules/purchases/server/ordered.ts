import { compare } from '#kit/domain/decimal.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { findAll } from '#kit/server/table.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { purchaseOrder, type PurchaseOrder } from '../contract/order.ts'
import type { Purchase } from '../contract/purchase.ts'
import { orderedLineFaults, type RequestLine } from '../domain/faults.ts'
import { isInForce } from '../domain/limits.ts'
import { ordersOf } from './progress.ts'

/** What the operator asked for is theirs wherever their data domain ends. */
export const everywhere = (scope: Scope): Scope => ({ ...scope, domain: unrestrictedDomain })

const numbersOf = (orders: readonly PurchaseOrder[]): string => orders.map(order => order.orderNo).join('、')

const ordersInForce = async (tx: Tx, scope: Scope, row: Purchase): Promise<PurchaseOrder[]> =>
  (await ordersOf(tx, everywhere(scope), row.id)).filter(isInForce)

/** The approval of what is ordered ahead is decided on: it does not end unanswered. */
export async function assertNoOrderInForce(
  tx: Tx,
  scope: Scope,
  row: Purchase,
  action: '撤回' | '终止',
): Promise<void> {
  const orders = await ordersInForce(tx, scope, row)
  if (!orders.length) return
  const arrived = orders.filter(order => order.lines.some(line => compare(line.receivedQuantity, '0') > 0))
  if (arrived.length)
    refuse(`采购订单 ${numbersOf(arrived)} 已有收货，不能${action}；请冲销收货并取消订单后再${action}`)
  refuse(`已先行下单（${numbersOf(orders)}），请取消订单后再${action}`)
}

/** Why purchases with orders are not deleted: those and their receipts keep it, cancelled ones too. */
export async function findOrdered(
  tx: Tx,
  scope: Scope,
  rows: readonly Purchase[],
): Promise<ReadonlyMap<Id, string>> {
  const ids = rows.map(row => row.id)
  const where = [sql`t.purchase_id = any(${ids}::bigint[])`]
  const orders = await findAll(tx, purchaseOrder, everywhere(scope), {}, { where })
  return new Map(
    rows.flatMap(({ id, purchaseNo }) => {
      const own = orders.filter(order => order.purchaseId === id)
      return own.length
        ? [[id, `采购 ${purchaseNo} 有采购订单 ${numbersOf(own)}，不能删除；不再需要的请提交后取消采购`]]
        : []
    }),
  )
}

/** What is ordered stays in the request as it was ordered, whatever else of it changes. */
export async function assertOrderedKept(
  tx: Tx,
  scope: Scope,
  row: Purchase,
  sent: Pick<Purchase, 'totalAmount' | 'isUrgent'> & { readonly lines: readonly RequestLine[] },
): Promise<void> {
  const orders = await ordersInForce(tx, scope, row)
  const lineNos = new Set(orders.flatMap(order => order.lines.map(line => line.lineNo)))
  const faults = [
    ...orderedLineFaults(sent.lines, row.lines, lineNos),
    ...(orders.length && row.isUrgent && !sent.isUrgent
      ? [{ Field: 'IsUrgent', Message: `已先行下单（${numbersOf(orders)}），不能改为不紧急` }]
      : []),
  ]
  if (faults.length) throw invalidInput(faults)
  if (sent.totalAmount < row.totalAmount && sent.totalAmount < row.orderedAmount)
    refuse('预估金额不能低于已下单的金额')
}
