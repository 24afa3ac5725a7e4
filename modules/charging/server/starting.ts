import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { addSeconds, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { findByIds, update } from '#kit/server/table.ts'
import { registerOrderSubject, type BookingContext } from '#modules/payments/server/public.ts'
import { orderState, portState } from '../contract/choices.ts'
import { chargerHub } from '../contract/hub.ts'
import { chargerOrder } from '../contract/order.ts'
import { menu } from '../module.ts'
import { openException } from './exceptions.ts'
import { bookIncome, refundOrder } from './money.ts'
import { notifyHub } from './ocpp/hub-notice.ts'
import { settleOrReport } from './settlement.ts'
import { lockOrder, type StoredOrder } from './stored-order.ts'

/** A pile that has not begun by then has failed to start. */
export const startSeconds = 90

/** Why the port cannot be had now; undefined where it can. The row of the port is locked. */
async function portRefusal(tx: Tx, scope: Scope, order: StoredOrder): Promise<string | undefined> {
  const [hub] = await findByIds(tx, chargerHub, scope, [order.hubId])
  const port = await tx.one<{ state: number }>(sql`
    select state
    from charger_port
    where owner_id = ${scope.ownerId} and id = ${order.portId}
    for update
  `)
  const other = await tx.one<{ id: Id }>(sql`
    select id
    from charger_order
    where owner_id = ${scope.ownerId}
      and port_id = ${order.portId}
      and state in ${codes(orderState, 'starting', 'charging')}
    limit 1
  `)
  if (!hub || hub.state === 'off') return '充电桩已停用'
  if (!hub.isOnline) return '充电桩离线'
  if (other) return '端口已被其他订单使用'
  return port?.state === Number(codeOf(portState, 'fault')) ? '端口故障' : undefined
}

const markFailed = (tx: Tx, scope: Scope, order: StoredOrder, reason: string): Promise<unknown> =>
  update(tx, chargerOrder, scope, order.id, {
    state: 'failed',
    failReason: reason,
    refundAmount: order.prepaidAmount,
  })

/** All of it goes back; the order ends. The caller has locked today and the order. */
async function failOrder(
  tx: Tx,
  scope: Scope,
  order: StoredOrder,
  reason: string,
  now: Moment,
): Promise<void> {
  await markFailed(tx, scope, order, reason)
  await refundOrder(tx, scope, order, order.prepaidAmount, `${reason}，全额退款`, now)
}

/** C20: the money has come; a start is sent to the pile, or all of it goes back. */
async function startPaidOrder(
  { tx, scope, now }: BookingContext,
  order: StoredOrder,
  isAsAgreed: boolean,
): Promise<void> {
  const refusal = isAsAgreed ? await portRefusal(tx, scope, order) : '付款金额与订单不符'
  if (refusal !== undefined) return failOrder(tx, scope, order, refusal, now)
  await tx.execute(sql`
    update charger_order
    set state = ${code(orderState, 'starting')}, run_start_until = ${addSeconds(now, startSeconds)},
      ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${order.id}
  `)
  notifyHub(tx, order.hubId, { kind: 'start', orderId: order.id })
}

registerOrderSubject('charging', {
  needs: menu.order.permissions.view,
  returnsOddAmounts: true,
  paid: async (c, payOrder, _data, payment) => {
    const { tx, scope } = c
    const order = await lockOrder(tx, scope, payOrder.refId ?? 0)
    const { recordId, billId } = await bookIncome(tx, scope, order, payment)
    // A second payment is booked and reported by the payments: a person refunds it.
    const isFirst = order.state === 'waiting' || order.state === 'closed'
    if (payment.outcome === 'double' || !isFirst) return recordId
    const paid = await update(tx, chargerOrder, scope, order.id, {
      billId,
      payTime: payment.at,
      prepaidAmount: payment.amount,
      paidAmount: payment.amount,
    })
    await startPaidOrder(c, { ...order, ...paid }, payment.outcome === 'settle')
    return recordId
  },
})

/** The pile refused, or did not begin in time: ended once, refunded whole (C20). */
export async function failStart(app: App, ownerId: Id, orderId: Id, reason: string): Promise<void> {
  const now = fromInstant(app.clock())
  const row = await app.database
    .reader(ownerId)
    .one<{ projectCode: string }>(
      sql`select project_code from charger_order where owner_id = ${ownerId} and id = ${orderId}`,
    )
  if (!row) return
  await settleOrReport(app, ownerId, now, {
    orderId,
    projectCode: row.projectCode,
    work: async (tx, scope, order) => {
      if (order.state !== 'starting') return
      await failOrder(tx, scope, order, reason, now)
      await openException(tx, {
        hub: { id: order.hubId, hubNo: order.hubNo, projectCode: row.projectCode },
        portNo: order.portNo,
        order,
        type: 'startFailed',
        content: reason,
        at: now,
      })
    },
    fallback: async (tx, scope, order) =>
      order.state === 'starting' ? markFailed(tx, scope, order, reason) : undefined,
  })
}
