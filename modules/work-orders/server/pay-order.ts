import { timeOf, type Moment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { payOrder, type OrderView } from '#modules/payments/contract/order.ts'
import { toOrderView } from '#modules/payments/server/public.ts'
import type { Charge } from '../contract/charge.ts'
import type { OrderContext } from './order-context.ts'

/** The pay order that waits for this cost, if it can still be paid. */
export async function findWaitingOrder(
  db: Db,
  scope: Scope,
  owed: Pick<Charge, 'payOrderId'>,
  now: Moment,
): Promise<OrderView | undefined> {
  if (!owed.payOrderId) return undefined
  const [found] = await findByIds(db, payOrder, scope, [owed.payOrderId])
  const isWaiting = found?.state === 'waiting' || found?.state === 'paying'
  return found && isWaiting && found.expireTime > now ? toOrderView(found) : undefined
}

/** What somebody may be paying just now keeps its amount; `what` names the action that has to wait. */
export async function assertNotPaying(
  { tx, scope, now }: OrderContext,
  owed: Pick<Charge, 'payOrderId'> | undefined,
  what: string,
): Promise<void> {
  const waiting = owed && (await findWaitingOrder(tx, scope, owed, now))
  if (!waiting) return
  const end = timeOf(waiting.expireTime).slice(0, 5)
  refuse(
    `费用正在支付（支付单 ${waiting.orderNo}，${end} 失效），不能${what}；请等待支付完成，或取消收款后再办理`,
  )
}
