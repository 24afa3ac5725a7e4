import { codeOf } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { decimalOf, div } from '#kit/domain/decimal.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { update } from '#kit/server/table.ts'
import { lockDays, onPaid, onRefundDeclined } from '#modules/payments/server/public.ts'
import { orderState, stopReason, type StopReason } from '../contract/choices.ts'
import { chargerOrder } from '../contract/order.ts'
import { chargeFee, hasIdleFee } from '../domain/charge-fee.ts'
import { openException, recoverOrder } from './exceptions.ts'
import { refundOrder } from './money.ts'
import { chargeOf, findSamples, lockOrder, type StoredOrder } from './stored-order.ts'

interface DeclinedOrder {
  readonly id: Id
  readonly orderNo: string
  readonly hubId: Id
  readonly hubNo: string
  readonly portNo: number
  readonly projectCode: string
}

const parseInstant = (iso: string): Moment => fromInstant(Date.parse(iso))

/** How a charge ended. */
export interface ChargeEnd {
  readonly at: Moment
  readonly reason: StopReason
  /** The place was left together with it. */
  readonly isLeft: boolean
}

const endedStates = ['starting', 'charging', 'abnormal'] as const

const canEnd = ({ state }: Pick<StoredOrder, 'state'>): boolean => endedStates.some(ended => ended === state)

/**
 * The fee, and what goes back. The order is locked and settled once: what was settled is not charged or
 * refunded again, whatever comes later.
 */
async function settleCharge(
  tx: Tx,
  scope: Scope,
  order: StoredOrder,
  leftAt: Moment,
  now: Moment,
): Promise<void> {
  if (order.isSettled || order.endTime === undefined) return
  const fee = chargeFee({
    ...chargeOf(order, await findSamples(tx, scope.ownerId, order.id), order.endTime),
    leftAt: leftAt > order.endTime ? leftAt : order.endTime,
    isBroken: order.stopReason === 'fault',
  })
  const changed = await tx.execute(sql`
    update charger_order
    set run_is_settled = true, run_left_time = ${leftAt}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${order.id} and not run_is_settled
  `)
  if (changed !== 1) return
  await update(tx, chargerOrder, scope, order.id, {
    energyKwh: div(decimalOf(fee.wattHours), '1000', 4),
    minutes: fee.minutes,
    elecFee: fee.elecFee,
    serviceFee: fee.serviceFee,
    idleFee: fee.idleFee,
    realAmount: fee.realAmount,
    refundAmount: fee.refundAmount,
    state: fee.refundAmount > 0 ? 'settling' : 'done',
  })
  await refundOrder(tx, scope, order, fee.refundAmount, '退还余款', now)
}

/** The port has been free, or another has charged there, since the charge began. */
async function wasLeft(tx: Tx, { id, portId }: StoredOrder): Promise<boolean> {
  const left = await tx.one(sql`
    select 1 as found
    from charger_port p
    where p.owner_id = ${tx.ownerId}
      and p.id = ${portId}
      and (
        p.run_free_since is not null
        or exists (
          select 1
          from charger_order o
          where o.owner_id = ${tx.ownerId} and o.port_id = ${portId} and o.id > ${id} and o.begin_time is not null
        )
      )
  `)
  return left !== undefined
}

/** The caller has locked today and the order; an order that has ended is left as it is. */
export async function endCharge(
  tx: Tx,
  scope: Scope,
  order: StoredOrder,
  end: ChargeEnd,
  now: Moment,
): Promise<void> {
  if (!canEnd(order)) return
  const begin = order.beginTime ?? end.at
  const endTime = end.at < begin ? begin : end.at > now ? now : end.at
  const ended = await update(tx, chargerOrder, scope, order.id, {
    beginTime: begin,
    endTime,
    stopReason: order.plannedStop ?? end.reason,
    state: 'settling',
  })
  await recoverOrder(tx, order.id, now)
  const isWaiting = hasIdleFee(order.terms) && !end.isLeft && !(await wasLeft(tx, order))
  if (!isWaiting) {
    await settleCharge(tx, scope, { ...order, ...ended }, endTime, now)
  }
}

/** The place of an order that has ended is free: what it costs is known now. */
export async function settleLeft(
  tx: Tx,
  scope: Scope,
  orderId: Id,
  leftAt: Moment,
  now: Moment,
): Promise<void> {
  const order = await lockOrder(tx, scope, orderId)
  if (order.state === 'settling') {
    await settleCharge(tx, scope, order, leftAt < now ? leftAt : now, now)
  }
}

const isRefundable = ({ state }: StoredOrder): boolean => state === 'settling' || state === 'failed'

/** A person settles what the pile does not report any more, or what could not be settled before. */
export async function settleByLastReading(tx: Tx, scope: Scope, orderId: Id, now: Moment): Promise<void> {
  const order = await lockOrder(tx, scope, orderId)
  if (order.state === 'settling' && !order.isSettled) {
    return settleCharge(tx, scope, order, order.endTime ?? now, now)
  }
  // What was to go back and has not been asked for, or was declined.
  if (order.refundAmount > 0 && order.refundId === undefined && isRefundable(order)) {
    return refundOrder(tx, scope, order, order.refundAmount, '退还余款', now)
  }
  if (order.state !== 'abnormal') return refuse('该订单不在异常状态，无需结算；请取消「结算订单」')
  const last = (await findSamples(tx, scope.ownerId, orderId)).at(-1)
  const at = last?.at ?? order.beginTime ?? now
  return endCharge(tx, scope, order, { at, reason: 'fault', isLeft: true }, now)
}

interface SettlingWork {
  readonly orderId: Id
  readonly projectCode: string
  readonly work: (tx: Tx, scope: Scope, order: StoredOrder, now: Moment) => Promise<void>
  /** What is kept of it where the money cannot be moved. */
  readonly fallback: (tx: Tx, scope: Scope, order: StoredOrder, now: Moment) => Promise<unknown>
}

/**
 * In one transaction, with today locked before every row (PAY-4). What is refused there (an invoice, a voided
 * payment) waits for a person, and nothing that the pile reported is lost.
 */
export async function settleOrReport(
  app: App,
  ownerId: Id,
  now: Moment,
  { orderId, projectCode, work, fallback }: SettlingWork,
): Promise<void> {
  const scope = clockScope(app, ownerId)
  try {
    await app.database.tx(ownerId, async tx => {
      await lockDays(tx, ownerId, projectCode, [dayOfMoment(now)])
      await work(tx, scope, await lockOrder(tx, scope, orderId), now)
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await app.database.tx(ownerId, async tx => {
      const order = await lockOrder(tx, scope, orderId)
      await fallback(tx, scope, order, now)
      await openException(tx, {
        hub: { id: order.hubId, hubNo: order.hubNo, projectCode },
        portNo: order.portNo,
        order,
        type: 'settlement',
        content: error.message,
        at: now,
      })
    })
  }
}

/** Keeps how a charge ended where it could not be settled. */
export const keepEnd =
  (end: ChargeEnd) =>
  async (tx: Tx, scope: Scope, order: StoredOrder): Promise<unknown> =>
    canEnd(order)
      ? update(tx, chargerOrder, scope, order.id, {
          beginTime: order.beginTime ?? end.at,
          endTime: end.at,
          stopReason: order.plannedStop ?? end.reason,
          state: 'settling',
        })
      : undefined

/** Written before the stop is sent, so that its report says why; the first reason stays. */
export const planStop = (tx: Tx, orderId: Id, reason: StopReason): Promise<number> =>
  tx.execute(sql`
    update charger_order
    set run_stop_reason = ${codeOf(stopReason, reason)}
    where owner_id = ${tx.ownerId}
      and id = ${orderId}
      and state in ${codes(orderState, 'charging', 'abnormal')}
      and run_stop_reason is null
  `)

// A refund that was given up: what the payer is owed waits for a person.
onRefundDeclined(async (tx, scope, { refundNo, billIds, reason }) => {
  const orders = await tx.rows<DeclinedOrder>(sql`
    update charger_order
    set refund_id = null, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and bill_id = any(${[...billIds]}::bigint[])
      and refund_id is not null
      and state in ${codes(orderState, 'settling', 'failed')}
    returning id, order_no, hub_id, hub_no, port_no, project_code
  `)
  for (const order of orders) {
    await openException(tx, {
      hub: { id: order.hubId, hubNo: order.hubNo, projectCode: order.projectCode },
      portNo: order.portNo,
      order,
      type: 'settlement',
      content: `退款单 ${refundNo} 未办理：${reason}`,
      at: parseInstant(scope.time),
    })
  }
})

// C20: an order is done once its rest has gone back.
onPaid(async (tx, scope, event) => {
  if (event.kind !== 'refunded' || event.refundId === undefined) return
  await tx.execute(sql`
    update charger_order
    set state = ${code(orderState, 'done')}, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and refund_id = ${event.refundId}
      and state = ${code(orderState, 'settling')}
  `)
})
