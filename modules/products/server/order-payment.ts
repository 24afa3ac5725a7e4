import type { ChoiceOf, Day, Fen, Moment } from '#kit/contract/field.ts'
import { codeOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { findByIds, insert, requireById, update } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { live, touch } from '#kit/server/sql.ts'
import { property } from '#modules/accounts/contract/company.ts'
import { updateSubscriptions } from '#modules/accounts/server/public.ts'
import { propertyApp } from '../contract/property-app.ts'
import { incrementNode } from '../contract/increment-node.ts'
import { productOrder, type ProductOrder } from '../contract/order.ts'
import { payMethod } from '../contract/labels.ts'
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

/** Money that has come for an order, as the channel names it. */
export interface OrderPayment {
  readonly orderNo: string
  readonly amount: Fen
  readonly method: ChoiceOf<typeof payMethod>
  readonly transactionId: string
}

/**
 * `paid`: the order's effect has happened now; `again`: this money was taken before; `credited`: it came too
 * late or twice and stands in the balance.
 */
export type OrderPaymentOutcome = 'paid' | 'again' | 'credited'

type ExpiryChange = { readonly oldExpire?: Day | undefined; readonly newExpire?: Day | undefined }

/**
 * What a paid order does, by what was sold. The company's row is held, so that two payments never start from
 * the same end.
 */
const applyOrderByKind: Readonly<
  Record<ProductOrder['kind'], (p: OrderPaymentContext, o: ProductOrder) => Promise<ExpiryChange>>
> = {
  edition: async ({ tx, app, scope, today }, o) => {
    const own = await requireById(tx, property, scope, scope.ownerId, true)
    const { edition } = await requireProduct(tx, o.productId)
    const expireDate = calculateNewExpiry(own.expireDate, today, o.months!)
    await updateSubscriptions(tx, app, [
      { ownerId: scope.ownerId, edition: edition!, expireDate, state: 'normal' },
    ])
    await audit(tx, scope, [
      {
        action: 'update',
        entity: property.name,
        entityId: own.id,
        before: { edition: own.edition, expireDate: own.expireDate },
        after: { edition, expireDate },
        reason: `续费订单 ${o.orderNo}`,
      },
    ])
    await refreshClosedModules(tx, app, [scope.ownerId], today)
    return { oldExpire: own.expireDate, newExpire: expireDate }
  },
  app: async ({ tx, app, scope, today }, o) => {
    await requireById(tx, property, scope, scope.ownerId, true)
    const had = await tx.one<{ id: number; expireDate?: Day }>(
      sql`
        select id, expire_date
        from property_app
        where owner_id = ${scope.ownerId} and product_id = ${o.productId} and ${live()}
      `,
    )
    const expireDate = calculateNewExpiry(had?.expireDate, today, o.months!)
    if (had) {
      await update(tx, propertyApp, scope, had.id, { enabled: true, expireDate })
    } else {
      const p = await requireProduct(tx, o.productId)
      await insert(tx, propertyApp, scope, {
        productId: p.id,
        appName: p.productName,
        appCode: p.productCode,
        enabled: true,
        beginDate: today,
        expireDate,
      })
    }
    await refreshClosedModules(tx, app, [scope.ownerId], today)
    return { oldExpire: had?.expireDate, newExpire: expireDate }
  },
  node: async ({ tx, scope, today }, o) => {
    const [node] = await findByIds(tx, incrementNode, scope, [o.nodeId!], true)
    if (!node) throw notFound()
    const newExpire =
      o.months === undefined ? undefined : calculateNewExpiry(node.expireDate, today, o.months)
    await update(tx, incrementNode, scope, node.id, {
      state: 'open',
      beginDate: node.beginDate ?? today,
      expireDate: newExpire,
    })
    return { oldExpire: node.expireDate, newExpire }
  },
  device: () => refuse('智能设备不在线下单'),
}

/**
 * The seam of payment: an order's money has come. Whoever tells of it, once or many times, at the same moment
 * or late, the effect happens once and no money is lost. Refuses an amount that is not the order's.
 */
export async function applyOrderPayment(
  p: OrderPaymentContext,
  { orderNo, amount, method, transactionId }: OrderPayment,
): Promise<OrderPaymentOutcome> {
  const { tx, scope, now } = p
  const raw = await tx.one<Record<string, unknown>>(
    sql`
      select *
      from product_order
      where owner_id = ${scope.ownerId} and order_no = ${orderNo} and ${live()}
      for update
    `,
  )
  if (!raw) throw notFound()
  const o = toEntityRow(productOrder, raw) as ProductOrder
  if (o.transactionId === transactionId) return 'again'
  if (amount !== o.amount)
    return refuse(`付款 ${formatYuan(amount)} 元与订单金额 ${formatYuan(o.amount)} 元不符`)
  if (o.state !== 'pending')
    return (await creditBalance(tx, scope, {
      type: 'late',
      amount,
      orderNo,
      transactionId,
      remark: `订单 ${orderNo} 已不能支付，款项转入余额`,
    }))
      ? 'credited'
      : 'again'
  const { oldExpire, newExpire } = await applyOrderByKind[o.kind](p, o)
  const done = await tx.execute(sql`
      update product_order
      set state = 20, pay_method = ${codeOf(payMethod, method)}, pay_time = ${now}::timestamptz,
        transaction_id = ${transactionId}, old_expire = ${oldExpire ?? null}::date,
        new_expire = ${newExpire ?? null}::date, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${o.id} and state = 10
    `)
  if (done !== 1) throw new Error(`order ${orderNo} changed while it was held`)
  await audit(tx, scope, [
    {
      action: 'state',
      entity: productOrder.name,
      entityId: o.id,
      before: { state: 'pending' },
      after: { state: 'paid', payMethod: method, transactionId, newExpire },
    },
  ])
  return 'paid'
}
