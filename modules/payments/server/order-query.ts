import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { sql } from '#kit/server/db.ts'
import { requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { channel, notifySource, payType } from '../contract/choices.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { getOrderChannelClient } from './channels/channel-accounts.ts'
import type { Channel, ChannelOrderResult } from './channels/channel-client.ts'
import { confirmPayment } from './order-confirmation.ts'
import { tradeNoOf } from './order-lookup.ts'
import { orderSystemScope, transitionOrder } from './order-state.ts'
import { releaseUnpaidOrder } from './prepaid-order.ts'
import type { Scope } from '#kit/server/scope.ts'

export const reloadOrder = (app: App, ownerId: Id, id: Id): Promise<PayOrder> =>
  requireById(app.database.reader(ownerId), payOrder, orderSystemScope(app, ownerId), id)

/** Applies what the channel says of an order; the bills of a failed or closed one are released. */
export async function applyChannelResult(
  app: App,
  ownerId: Id,
  order: PayOrder,
  result: ChannelOrderResult,
  source: ChoiceOf<typeof notifySource>,
): Promise<PayOrder> {
  if (result.state === 'paid') {
    await confirmPayment(app, ownerId, order.id, { ...result, channel: defined(order.channel), source })
  } else if (result.state === 'failed' || result.state === 'closed' || result.state === 'paying') {
    await followChannelState(
      app,
      ownerId,
      order,
      result.state,
      result.state === 'failed' ? result.why : undefined,
    )
  } else {
    return order
  }
  return reloadOrder(app, ownerId, order.id)
}

/** An order that is over is changed by nothing the channel says later; a failed one only by a new attempt. */
const followChannelState = (
  app: App,
  ownerId: Id,
  order: PayOrder,
  newState: 'paying' | 'closed' | 'failed',
  failReason: string | undefined,
): Promise<void> =>
  app.database.tx(ownerId, async tx => {
    const scope = orderSystemScope(app, ownerId, order.projectCode)
    const current = await requireById(tx, payOrder, orderSystemScope(app, ownerId), order.id, { lock: true })
    if (current.state !== 'waiting' && current.state !== 'paying') return
    if (newState === 'failed' && current.state === 'waiting') {
      await transitionOrder(tx, scope, order, 'paying')
    }
    if (current.state !== newState) {
      const columns = failReason === undefined ? {} : { fail_reason: failReason.slice(0, 200) }
      await transitionOrder(tx, scope, order, newState, columns, failReason)
    }
    if (newState !== 'paying') {
      await releaseUnpaidOrder(tx, scope, current)
    }
  })

/** Asks the channel about an order that waits; without an answer it stays as it is. */
export async function queryOrderAtChannel(app: App, ownerId: Id, order: PayOrder): Promise<PayOrder> {
  if (!order.channel || order.state === 'paid' || order.state === 'refunded') return order
  let result: ChannelOrderResult
  try {
    result = await (await getOrderChannelClient(app, ownerId, order)).queryOrder(tradeNoOf(order))
  } catch (err) {
    app.log.warn({ err: errorMessage(err), order: order.orderNo }, 'the channel does not answer')
    return order
  }
  return applyChannelResult(app, ownerId, order, result, 'asked')
}

/** A person accepts what the channel has got, though it is another amount (PAY-6). */
export async function acceptReceivedAmount(app: App, ownerId: Id, order: PayOrder): Promise<PayOrder> {
  if (order.state !== 'paying' || order.failReason === undefined || !order.channel)
    return refuse('该支付单不需要人工处理')
  const result = await (
    await getOrderChannelClient(app, ownerId, order)
  )
    .queryOrder(tradeNoOf(order))
    .catch(err => {
      app.log.warn({ err: errorMessage(err), order: order.orderNo }, 'the channel does not answer')
      return refuse('支付渠道未响应，请稍后再试')
    })
  return applyChannelResult(app, ownerId, order, result, 'manual')
}

const lastQueryTimes = new Map<Id, number>()

/** PAY-3: the dialog's polls reach the channel every two seconds at most. */
export function queryOrderThrottled(app: App, ownerId: Id, order: PayOrder): Promise<PayOrder> {
  const now = app.clock()
  const lastQuery = lastQueryTimes.get(order.id)
  if (
    (order.state !== 'waiting' && order.state !== 'paying') ||
    (lastQuery !== undefined && now - lastQuery < 2000)
  )
    return Promise.resolve(order)
  if (lastQueryTimes.size > 10_000) {
    lastQueryTimes.clear()
  }
  lastQueryTimes.set(order.id, now)
  return queryOrderAtChannel(app, ownerId, order)
}

/**
 * Closes an order: one that a channel knows is first queried and closed there (C5.1: 60 → 30). Refuses when
 * the channel does not answer.
 */
export async function closePayOrder(
  app: App,
  ownerId: Id,
  order: PayOrder,
  scope: Scope,
  reason: string,
): Promise<PayOrder> {
  if (order.channel && (order.state === 'waiting' || order.state === 'paying')) {
    const refuseUnknown = (err: unknown): never => {
      if (err instanceof Refused) throw err
      app.log.warn({ err: errorMessage(err), order: order.orderNo }, 'the channel does not close')
      return refuse('支付渠道未响应，对方付款结果未知，请稍后再取消')
    }
    const client = await getOrderChannelClient(app, ownerId, order)
    const result = await client.queryOrder(tradeNoOf(order)).catch(refuseUnknown)
    if (result.state === 'paid' || result.state === 'failed')
      return applyChannelResult(app, ownerId, order, result, 'asked')
    if (result.state !== 'closed') {
      await client.closeOrder(tradeNoOf(order), order.payType === 'scanner').catch(refuseUnknown)
      const afterClose = await client.queryOrder(tradeNoOf(order)).catch(refuseUnknown)
      if (afterClose.state === 'paid') return applyChannelResult(app, ownerId, order, afterClose, 'asked')
    }
  }
  await app.database.tx(ownerId, async tx => {
    if (await transitionOrder(tx, scope, order, 'closed', { fail_reason: reason }, reason)) {
      await releaseUnpaidOrder(tx, scope, order)
    }
  })
  return reloadOrder(app, ownerId, order.id)
}

/** Binds an order to a channel, once: it is 支付中 then, and another channel or way needs a new order. */
export async function assignOrderChannel(
  app: App,
  ownerId: Id,
  order: PayOrder,
  targetChannel: Channel,
  targetPayType: ChoiceOf<typeof payType>,
): Promise<PayOrder> {
  await app.database.tx(ownerId, async tx => {
    const current = await requireById(tx, payOrder, orderSystemScope(app, ownerId), order.id, { lock: true })
    if (current.channel && (current.channel !== targetChannel || current.payType !== targetPayType))
      refuse('该支付单已用另一种方式发起，请先取消再换方式')
    if (current.channel && targetPayType === 'scanner')
      refuse('该支付单已经扫过码，请等待结果，或取消后重新发起')
    if (current.channel && targetPayType === 'pos')
      refuse('该支付单已经发到 POS 机，请等待结果，或取消后重新发起')
    if (current.state !== 'waiting' && current.state !== 'paying') refuse('该支付单已经结束，请重新发起收款')
    if (current.expireTime <= fromInstant(app.clock())) refuse('该支付单已过期，请重新发起收款')
    await tx.execute(
      sql`
        update pay_order
        set channel = ${Number(codeOf(channel, targetChannel))}, pay_type = ${Number(codeOf(payType, targetPayType))}
        where owner_id = ${ownerId} and id = ${order.id}
      `,
    )
    if (current.state === 'waiting') {
      await transitionOrder(tx, orderSystemScope(app, ownerId, order.projectCode), order, 'paying')
    }
  })
  return reloadOrder(app, ownerId, order.id)
}
