import { displayYuan, type Fen } from '#kit/domain/money.ts'
import type { App } from '#kit/server/app.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import type { PayOrder } from '../contract/order.ts'
import { companyWideProject } from '../domain/order.ts'
import { menu } from '../module.ts'
import { transitionOrder } from './order-state.ts'

const abnormalPaymentNotice = defineNotificationKind({
  key: 'payments.odd',
  label: '收款异常',
  group: 'todo',
  level: 'important',
  entity: 'payOrder',
})

const noticeProjectOf = (order: PayOrder): { readonly project?: string } =>
  order.projectCode === companyWideProject ? {} : { project: order.projectCode }

const notifyReviewers = (
  tx: Tx,
  app: App,
  scope: Scope,
  order: PayOrder,
  notice: { readonly title: string; readonly text: string },
): Promise<unknown> =>
  notify(tx, app, scope.ownerId, {
    kind: abnormalPaymentNotice,
    to: { permission: menu.refund.permissions.audit, ...noticeProjectOf(order) },
    ...notice,
    bizId: order.id,
    ...noticeProjectOf(order),
  })

/**
 * What cannot be booked, such as another amount (PAY-6): the order stays 支付中 with its reason until a person
 * decides. Each reason is notified once.
 */
export async function holdForReview(
  tx: Tx,
  app: App,
  scope: Scope,
  order: PayOrder,
  reason: string,
): Promise<void> {
  const failReason = reason.slice(0, 200)
  if (order.failReason === failReason) return
  if (!(await transitionOrder(tx, scope, order, 'paying', { fail_reason: failReason }, reason))) {
    await tx.execute(
      sql`
        update pay_order
        set fail_reason = ${failReason}, version = version + 1, update_time = ${scope.time}::timestamptz
        where owner_id = ${scope.ownerId} and id = ${order.id}
      `,
    )
  }
  await audit(tx, scope, [
    { action: 'refused', entity: 'payOrder', entityId: order.id, projectCode: order.projectCode, reason },
  ])
  await notifyReviewers(tx, app, scope, order, {
    title: `收款异常：${order.orderObj}`,
    text: `支付单 ${order.orderNo}：${reason}`,
  })
}

export const notifyDoublePayment = (
  tx: Tx,
  app: App,
  scope: Scope,
  order: PayOrder,
  amount: Fen,
  outcome: string,
): Promise<unknown> =>
  notifyReviewers(tx, app, scope, order, {
    title: `重复支付：${order.orderObj}`,
    text: `支付单 ${order.orderNo} 又收到 ${displayYuan(amount)} 元，${outcome}`,
  })
