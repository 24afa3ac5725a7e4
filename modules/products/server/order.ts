import { labelOf } from '#kit/contract/field.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, requireById, findPage } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
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
import { orderState } from '../contract/labels.ts'
import {
  calculateAmount,
  canChooseEdition,
  orderStateMachine,
  payableHours,
  termMonths,
} from '../domain/subscription.ts'
import { loadChargedEstates, requireProduct, type CatalogueProduct } from './catalogue.ts'

const requireTerm = (months: number | undefined): number => {
  if (!months || !(termMonths as readonly number[]).includes(months))
    throw invalidInput([
      {
        Field: 'Months',
        Message: `请选择 ${termMonths.slice(0, -1).join('、')} 或 ${termMonths.at(-1)} 个月`,
      },
    ])
  return months
}

async function createOrder(
  { tx, scope, app, today }: WriteContext,
  p: CatalogueProduct,
  of: { readonly quantity: number; readonly months?: number; readonly nodeId?: number },
): Promise<ProductOrder> {
  const { seq } = (await tx.one<{ seq: number }>(sql`select nextval('product_order_seq') as seq`))!
  let amount: number
  try {
    amount = calculateAmount(p.price!, of.quantity, of.months)
  } catch {
    throw invalidInput([{ Field: 'Quantity', Message: '金额超出范围，请减少数量或月数' }])
  }
  return insert(tx, productOrder, scope, {
    ...of,
    orderNo: `DD${today.replaceAll('-', '')}${String(seq).padStart(6, '0')}`,
    kind: p.kind,
    productId: p.id,
    productName: p.productName,
    unit: p.unit,
    unitPrice: p.price!,
    amount,
    state: 'pending',
    closeTime: fromInstant(app.clock() + payableHours * 3_600_000),
    operatorName: scope.name,
  })
}

const refuseIfOrderPending = async (tx: Tx, scope: Scope, p: CatalogueProduct): Promise<void> => {
  const had = await tx.one<{ orderNo: string }>(
    sql`
      select order_no
      from product_order
      where owner_id = ${scope.ownerId}
        and state = 10
        and kind = ${p.kind === 'edition' ? 10 : 20} ${p.kind === 'edition' ? sql`` : sql`and product_id = ${p.id}`}
      limit 1
    `,
  )
  if (had) refuse(`已有待支付的订单 ${had.orderNo}，请先支付或取消它`)
}

export const orderHandlers = [
  reads(listOrders, (q, { db, scope }) =>
    findPage(db, productOrder, scope, q, { filters: listOrders.input.filters!, sums: ['amount'] }),
  ),
  reads(getOrder, ({ id }, { db, scope }) => requireById(db, productOrder, scope, id)),

  writes(addRenewal, async ({ productId, months }, c) => {
    const { tx, scope, today } = c
    const term = requireTerm(months)
    const own = await requireById(tx, property, scope, scope.ownerId, true)
    const p = await requireProduct(tx, productId)
    if (p.kind !== 'edition') return refuse('请选择要续费的版本')
    if (own.edition !== 'trial' && own.expireDate === undefined)
      return refuse('公司没有到期日期，长期有效，不需要续费')
    if (!canChooseEdition(p.edition!, own.edition, own.expireDate, today))
      return refuse(`当前版本未到期，只能续费当前版本；到期后可以改选「${p.productName}」`)
    await refuseIfOrderPending(tx, scope, p)
    return createOrder(c, p, { quantity: await loadChargedEstates(tx, scope), months: term })
  }),
  writes(addAppOrder, async ({ productId, months }, c) => {
    const { tx, scope } = c
    const term = requireTerm(months)
    const own = await requireById(tx, property, scope, scope.ownerId, true)
    const p = await requireProduct(tx, productId)
    if (p.kind !== 'app') return refuse('请选择要开通的应用')
    if (own.edition !== 'standard') return refuse(`当前版本已包含「${p.productName}」，不需要另外开通`)
    await refuseIfOrderPending(tx, scope, p)
    return createOrder(c, p, { quantity: await loadChargedEstates(tx, scope), months: term })
  }),
  writes(addNodeOrder, async ({ productId, nodeId, quantity, months, nodeName }, c) => {
    const { tx, scope } = c
    const p = await requireProduct(tx, productId)
    if (p.kind !== 'node') return refuse('请选择要开通的增值服务')
    const timed = p.chargeBy !== 'piece'
    const time = timed ? { months: requireTerm(months) } : {}
    if (nodeId) {
      const node = await requireById(tx, incrementNode, scope, nodeId, true)
      if (!timed || node.productId !== p.id)
        return refuse(
          timed
            ? '要续费的节点不是这项服务，请刷新后重试'
            : `「${p.productName}」用完为止，不需要续费，直接再买即可`,
        )
      if (node.state === 'opening') return refuse('这个节点还在开通中，请先支付它的订单')
      return createOrder(c, p, { quantity: node.quantity, nodeId: node.id, ...time })
    }
    if (!quantity || quantity < p.minQuantity)
      throw invalidInput([
        { Field: 'Quantity', Message: quantity ? `至少 ${p.minQuantity} ${p.unit}` : '请填写数量' },
      ])
    const node = await insert(tx, incrementNode, scope, {
      nodeName: nodeName ?? p.productName,
      nodeType: p.nodeType!,
      productId: p.id,
      quantity,
      unit: p.unit,
      price: p.price!,
      state: 'opening',
    })
    const order = await createOrder(c, p, { quantity, nodeId: node.id, ...time })
    await tx.execute(
      sql`
        update increment_node
        set order_id = ${order.id}
        where owner_id = ${scope.ownerId} and id = ${node.id}
      `,
    )
    return order
  }),

  writes(cancelOrders, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, productOrder, scope, ids, true)
    if (found.length !== new Set(ids).size) return refuse('所选订单中有的已不存在，请刷新后重试')
    for (const o of found) {
      const why = orderStateMachine.checkTransition(o.state, 'cancelled')
      if (why)
        refuse(
          `订单 ${o.orderNo} ${o.state === 'cancelled' ? '已经取消' : `${labelOf(orderState, o.state)}，不能取消`}`,
        )
    }
    await tx.execute(
      sql`
        update product_order
        set state = 30, cancel_reason = ${reason}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${found.map(o => o.id)}::bigint[]) and state = 10
      `,
    )
    // What was to be opened by them is not.
    await tx.execute(
      sql`
        update increment_node
        set delete_tag = 1, ${touch(scope)}
        where owner_id = ${scope.ownerId}
          and order_id = any(${found.map(o => o.id)}::bigint[])
          and state = 30
          and ${live()}
      `,
    )
    await audit(
      tx,
      scope,
      found.map(o => ({
        action: 'state' as const,
        entity: productOrder.name,
        entityId: o.id,
        before: { state: o.state },
        after: { state: 'cancelled' },
        reason,
      })),
    )
  }),
]
