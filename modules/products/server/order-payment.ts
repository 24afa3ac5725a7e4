import type { Id } from '#kit/domain/id.ts'
import { type ChoiceOf, type Day, type Fen, type Moment, codeOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { property } from '#modules/accounts/contract/company.ts'
import { updateSubscription } from '#modules/accounts/server/public.ts'
import { creditQuota } from '#modules/messaging/server/public.ts'
import { propertyApp } from '../contract/property-app.ts'
import { incrementNode } from '../contract/increment-node.ts'
import { productOrder, type ProductOrder } from '../contract/order.ts'
import { orderState, payMethod } from '../contract/labels.ts'
import { calculateNewExpiry } from '../domain/subscription.ts'
import { creditBalance } from './balance.ts'
import { requireProduct } from './catalogue.ts'
import { refreshClosedModules } from './property-app.ts'

export interface OrderPaymentContext {
  readonly tx: Tx
  readonly app: App
  readonly scope: Scope
  readonly today: Day
  readonly now: Moment
}

/** A payment that a channel reports for an order. */
export interface OrderPayment {
  readonly orderNo: string
  readonly amount: Fen
  readonly method: ChoiceOf<typeof payMethod>
  readonly transactionId: string
}

/**
 * `paid`: the order has taken effect now; `again`: this payment was processed before; `credited`: it came too
 * late or twice and was added to the balance.
 */
export type OrderPaymentOutcome = 'paid' | 'again' | 'credited'

/** Orders for time always have months; those for pieces have none. */
function requireMonths(o: ProductOrder): number {
  if (o.months === undefined) throw new Error(`order ${o.orderNo} has no months`)
  return o.months
}

type ExpiryChange = { readonly oldExpire?: Day | undefined; readonly newExpire?: Day | undefined }

/**
 * What a paid order does, by what was sold. The company's row is locked, so that two payments never extend
 * from the same end date.
 */
const applyOrderByKind: Readonly<
  Record<ProductOrder['kind'], (p: OrderPaymentContext, o: ProductOrder) => Promise<ExpiryChange>>
> = {
  edition: async ({ tx, app, scope, today }, order) => {
    const own = await requireById(tx, property, scope, scope.ownerId, { lock: true })
    const { edition } = await requireProduct(tx, order.productId)
    const expireDate = calculateNewExpiry(own.expireDate, today, requireMonths(order))
    await updateSubscription(tx, app, {
      ownerId: scope.ownerId,
      ...(edition ? { edition } : {}),
      expireDate,
      state: 'normal',
    })
    await audit(tx, scope, [
      {
        action: 'update',
        entity: property.name,
        entityId: own.id,
        before: { edition: own.edition, expireDate: own.expireDate },
        after: { edition, expireDate },
        reason: `续费订单 ${order.orderNo}`,
      },
    ])
    await refreshClosedModules(tx, app, scope.ownerId, today)
    return { oldExpire: own.expireDate, newExpire: expireDate }
  },
  app: async ({ tx, app, scope, today }, order) => {
    await requireById(tx, property, scope, scope.ownerId, { lock: true })
    const existing = await tx.one<{ id: Id; expireDate?: Day }>(
      sql`
        select id, expire_date
        from property_app
        where owner_id = ${scope.ownerId} and product_id = ${order.productId} and ${notDeleted()}
      `,
    )
    const expireDate = calculateNewExpiry(existing?.expireDate, today, requireMonths(order))
    if (existing) {
      await update(tx, propertyApp, scope, existing.id, { enabled: true, expireDate })
    } else {
      const product = await requireProduct(tx, order.productId)
      await insert(tx, propertyApp, scope, {
        productId: product.id,
        appName: product.productName,
        appCode: product.productCode,
        enabled: true,
        beginDate: today,
        expireDate,
      })
    }
    await refreshClosedModules(tx, app, scope.ownerId, today)
    return { oldExpire: existing?.expireDate, newExpire: expireDate }
  },
  node: async ({ tx, scope, today }, order) => {
    const node = await requireById(tx, incrementNode, scope, order.nodeId ?? 0, { lock: true })
    const newExpire =
      order.months === undefined ? undefined : calculateNewExpiry(node.expireDate, today, order.months)
    await update(tx, incrementNode, scope, node.id, {
      state: 'open',
      beginDate: node.beginDate ?? today,
      expireDate: newExpire,
    })
    if (node.nodeType === 'sms') {
      await creditQuota(tx, scope, order.quantity, order.orderNo)
    }
    return { oldExpire: node.expireDate, newExpire }
  },
  device: () => refuse('智能设备不在线下单'),
}

/**
 * Applies a payment to an order. However often and however late it is reported, the order takes effect once
 * and no money is lost: what an order cannot take any more is added to the balance. Refuses an amount that is
 * not the order's (RENEW-3).
 */
export async function applyOrderPayment(
  payment: OrderPaymentContext,
  { orderNo, amount, method, transactionId }: OrderPayment,
): Promise<OrderPaymentOutcome> {
  const { tx, scope, now } = payment
  const raw = await tx.one<Record<string, unknown>>(
    sql`
      select *
      from product_order
      where owner_id = ${scope.ownerId} and order_no = ${orderNo} and ${notDeleted()}
      for update
    `,
  )
  if (!raw) throw notFound()
  const order = toEntityRow(productOrder, raw)
  if (order.transactionId === transactionId) return 'again'
  if (amount !== order.amount)
    return refuse(`付款 ${displayYuan(amount)} 元与订单金额 ${displayYuan(order.amount)} 元不符`)
  if (order.state !== 'pending')
    return (await creditBalance(tx, scope, {
      type: 'late',
      amount,
      orderNo,
      transactionId,
      remark: `订单 ${orderNo} 已不能支付，款项转入余额`,
    }))
      ? 'credited'
      : 'again'
  const { oldExpire, newExpire } = await applyOrderByKind[order.kind](payment, order)
  const changed = await tx.execute(sql`
    update product_order
    set state = ${code(orderState, 'paid')}, pay_method = ${codeOf(payMethod, method)},
      pay_time = ${now}::timestamptz, transaction_id = ${transactionId},
      old_expire = ${oldExpire ?? null}::date, new_expire = ${newExpire ?? null}::date, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${order.id} and state = ${code(orderState, 'pending')}
  `)
  if (changed !== 1) throw new Error(`order ${orderNo} changed while it was locked`)
  await audit(tx, scope, [
    {
      action: 'state',
      entity: productOrder.name,
      entityId: order.id,
      before: { state: 'pending' },
      after: { state: 'paid', payMethod: method, transactionId, newExpire },
    },
  ])
  return 'paid'
}
