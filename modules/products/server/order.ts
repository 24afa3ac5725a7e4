import type { Id } from '#kit/domain/id.ts'
import { labelOf, type Fen } from '#kit/contract/field.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, requireById, findPage } from '#kit/server/table.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { orderPrefix } from '#modules/payments/server/public.ts'
import { property } from '#modules/accounts/contract/company.ts'
import { incrementNode } from '../contract/increment-node.ts'
import {
  addAppOrder,
  addNodeOrder,
  addRenewal,
  cancelOrders,
  listOrders,
  getOrder,
  productOrder,
  type ProductOrder,
} from '../contract/order.ts'
import { nodeState, orderState, productKind } from '../contract/labels.ts'
import {
  calculateAmount,
  canChooseEdition,
  orderStateMachine,
  payableHours,
  termMonths,
} from '../domain/subscription.ts'
import { loadChargedEstates, requireProduct, type CatalogueProduct } from './catalogue.ts'

const formattedTerms = `${termMonths.slice(0, -1).join('、')} 或 ${termMonths.at(-1)}`

function requireTerm(months: number | undefined): number {
  if (!months || !termMonths.some(term => term === months))
    throw invalidInput([{ Field: 'Months', Message: `请选择 ${formattedTerms} 个月` }])
  return months
}

/** Why an order that is settled cannot be paid. */
export function describeOrderEnd({ orderNo, state }: Pick<ProductOrder, 'orderNo' | 'state'>): string {
  if (state === 'paid') return `订单 ${orderNo} 已经支付`
  return `订单 ${orderNo} ${state === 'closed' ? '已超过支付时间关闭，请重新下单' : '已经取消'}`
}

/** What is ordered of a product. Priced here, so its price must be known. */
interface OrderLine {
  readonly quantity: number
  readonly months?: number
  readonly nodeId?: Id
}

/** Products by quotation have no price and are not ordered here. */
function requirePrice(p: CatalogueProduct): Fen {
  if (p.price === undefined) throw new Error(`product ${p.productCode} has no price`)
  return p.price
}

function calculateOrderAmount(product: CatalogueProduct, { quantity, months }: OrderLine): Fen {
  try {
    return calculateAmount(requirePrice(product), quantity, months)
  } catch {
    throw invalidInput([{ Field: 'Quantity', Message: '金额超出范围，请减少数量或月数' }])
  }
}

async function createOrder(
  { tx, scope, app, today }: WriteContext,
  product: CatalogueProduct,
  line: OrderLine,
): Promise<ProductOrder> {
  const orderNo = await tx.numbers.next(scope.ownerId, orderPrefix, today)
  const amount = calculateOrderAmount(product, line)
  return insert(tx, productOrder, scope, {
    ...line,
    orderNo,
    kind: product.kind,
    productId: product.id,
    productName: product.productName,
    unit: product.unit,
    unitPrice: requirePrice(product),
    amount,
    state: 'pending',
    closeTime: fromInstant(app.clock() + payableHours * 3_600_000),
    operatorName: scope.name,
  })
}

/**
 * The number of an order that waits for payment: the company's renewal, or one of an application (RENEW-4).
 */
export async function findPendingOrder(
  db: Pick<Db, 'one'>,
  scope: Scope,
  what: { readonly kind: 'edition' } | { readonly kind: 'app'; readonly productId: Id },
): Promise<string | undefined> {
  const order = await db.one<{ orderNo: string }>(
    sql`
      select order_no
      from product_order
      where owner_id = ${scope.ownerId}
        and state = ${code(orderState, 'pending')}
        and kind = ${code(productKind, what.kind)}
        ${what.kind === 'app' ? sql`and product_id = ${what.productId}` : sql``}
      limit 1
    `,
  )
  return order?.orderNo
}

const refusePending = (orderNo: string): never => refuse(`已有待支付的订单 ${orderNo}，请先支付或取消它`)

/** More time for a node that the company has. */
async function renewNode(
  c: WriteContext,
  product: CatalogueProduct,
  nodeId: Id,
  term: { readonly months?: number },
): Promise<ProductOrder> {
  const node = await requireById(c.tx, incrementNode, c.scope, nodeId, { lock: true })
  if (product.chargeBy === 'piece') return refuse(`「${product.productName}」用完为止，无需续费，可再次购买`)
  if (node.productId !== product.id) return refuse('要续费的节点不是这项服务，请刷新后重试')
  if (node.state === 'opening') return refuse('该节点还在开通中，请先支付它的订单')
  return createOrder(c, product, { quantity: node.quantity, nodeId: node.id, ...term })
}

/** A new node, which opens once its order is paid. */
export async function orderNewNode(
  c: WriteContext,
  product: CatalogueProduct,
  quantity: number | undefined,
  nodeName: string | undefined,
  term: { readonly months?: number },
): Promise<ProductOrder> {
  const { tx, scope } = c
  if (!quantity || quantity < product.minQuantity)
    throw invalidInput([
      { Field: 'Quantity', Message: quantity ? `至少 ${product.minQuantity} ${product.unit}` : '请填写数量' },
    ])
  if (product.nodeType === undefined) throw new Error(`product ${product.productCode} has no node type`)
  const node = await insert(tx, incrementNode, scope, {
    nodeName: nodeName ?? product.productName,
    nodeType: product.nodeType,
    productId: product.id,
    quantity,
    unit: product.unit,
    price: requirePrice(product),
    state: 'opening',
  })
  const order = await createOrder(c, product, { quantity, nodeId: node.id, ...term })
  await tx.execute(
    sql`
      update increment_node
      set order_id = ${order.id}
      where owner_id = ${scope.ownerId} and id = ${node.id}
    `,
  )
  return order
}

function assertCancellable({ orderNo, state }: ProductOrder): void {
  if (!orderStateMachine.checkTransition(state, 'cancelled')) return
  const reason = state === 'cancelled' ? '已经取消' : `${labelOf(orderState, state)}，不能取消`
  refuse(`订单 ${orderNo} ${reason}`)
}

/** Cancels pending orders and deletes the nodes that they were to open. */
async function cancelPendingOrders(
  tx: Tx,
  scope: Scope,
  orderIds: readonly Id[],
  reason: string,
): Promise<void> {
  await tx.execute(
    sql`
      update product_order
      set state = ${code(orderState, 'cancelled')}, cancel_reason = ${reason}, ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and id = any(${orderIds}::bigint[])
        and state = ${code(orderState, 'pending')}
    `,
  )
  await tx.execute(
    sql`
      update increment_node
      set delete_tag = 1, ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and order_id = any(${orderIds}::bigint[])
        and state = ${code(nodeState, 'opening')}
        and ${notDeleted()}
    `,
  )
}

export const orderHandlers = [
  reads(listOrders, (q, { db, scope }) =>
    findPage(db, productOrder, scope, q, { filters: listOrders.input.filters ?? [], sums: ['amount'] }),
  ),
  reads(getOrder, ({ id }, { db, scope }) => requireById(db, productOrder, scope, id)),

  writes(addRenewal, async ({ productId, months }, c) => {
    const { tx, scope, today } = c
    const term = requireTerm(months)
    const own = await requireById(tx, property, scope, scope.ownerId, { lock: true })
    const product = await requireProduct(tx, productId)
    if (product.kind !== 'edition' || product.edition === undefined) return refuse('请选择要续费的版本')
    if (own.edition !== 'trial' && own.expireDate === undefined)
      return refuse('公司无到期日期，长期有效，无需续费')
    if (!canChooseEdition(product.edition, own.edition, own.expireDate, today))
      return refuse(`当前版本未到期，只能续费当前版本；到期后可以改选「${product.productName}」`)
    const pending = await findPendingOrder(tx, scope, { kind: 'edition' })
    if (pending) return refusePending(pending)
    return createOrder(c, product, { quantity: await loadChargedEstates(tx, scope), months: term })
  }),
  writes(addAppOrder, async ({ productId, months }, c) => {
    const { tx, scope } = c
    const term = requireTerm(months)
    const own = await requireById(tx, property, scope, scope.ownerId, { lock: true })
    const product = await requireProduct(tx, productId)
    if (product.kind !== 'app') return refuse('请选择要开通的应用')
    if (own.edition !== 'standard') return refuse(`当前版本已包含「${product.productName}」，不需要另外开通`)
    const pending = await findPendingOrder(tx, scope, { kind: 'app', productId: product.id })
    if (pending) return refusePending(pending)
    return createOrder(c, product, { quantity: await loadChargedEstates(tx, scope), months: term })
  }),
  writes(addNodeOrder, async ({ productId, nodeId, quantity, months, nodeName }, c) => {
    const p = await requireProduct(c.tx, productId)
    if (p.kind !== 'node') return refuse('请选择要开通的增值服务')
    const term = p.chargeBy === 'piece' ? {} : { months: requireTerm(months) }
    return nodeId ? renewNode(c, p, nodeId, term) : orderNewNode(c, p, quantity, nodeName, term)
  }),

  writes(cancelOrders, async ({ ids, reason }, { tx, scope }) => {
    const orders = await findByIds(tx, productOrder, scope, ids, { lock: true })
    if (orders.length !== new Set(ids).size) return refuse('所选订单中有的已不存在，请刷新后重试')
    for (const order of orders) {
      assertCancellable(order)
    }
    const orderIds = orders.map(order => order.id)
    await cancelPendingOrders(tx, scope, orderIds, reason)
    await audit(
      tx,
      scope,
      orders.map(order => ({
        action: 'state' as const,
        entity: productOrder.name,
        entityId: order.id,
        before: { state: order.state },
        after: { state: 'cancelled' },
        reason,
      })),
    )
  }),
]
