import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { messageOf } from '#kit/server/error-message.ts'
import { sql } from '#kit/server/db.ts'
import { requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { releaseBills } from '#modules/bills/server/public.ts'
import { channel, notifySource, payType } from '../contract/choices.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { getOrderChannelClient } from './channels/channel-accounts.ts'
import type { Channel, ChannelOrderResult } from './channels/channel-client.ts'
import { confirmPayment } from './order-confirmation.ts'
import { orderSystemScope, transitionOrder } from './order-state.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'

export const reloadOrder = (app: App, owner: number, id: number): Promise<PayOrder> =>
  requireById(app.database.reader(owner), payOrder, orderSystemScope(owner), id)

/** Applies what the channel says of an order; the bills of a failed or closed one are released. */
export async function applyChannelResult(
  app: App,
  owner: number,
  o: PayOrder,
  result: ChannelOrderResult,
  source: ChoiceOf<typeof notifySource>,
): Promise<PayOrder> {
  if (result.state === 'paid') {
    await confirmPayment(app, owner, o.id, { ...result, channel: defined(o.channel), source })
  } else if (result.state === 'failed' || result.state === 'closed' || result.state === 'paying') {
    await followChannelState(app, owner, o, result.state, result.state === 'failed' ? result.why : undefined)
  } else {
    return o
  }
  return reloadOrder(app, owner, o.id)
}

/** An order that is over is changed by nothing the channel says later; a failed one only by a new attempt. */
const followChannelState = (
  app: App,
  owner: number,
  o: PayOrder,
  to: 'paying' | 'closed' | 'failed',
  failReason: string | undefined,
): Promise<void> =>
  app.database.tx(owner, async tx => {
    const scope = orderSystemScope(owner, o.projectCode)
    const current = await requireById(tx, payOrder, orderSystemScope(owner), o.id, true)
    if (current.state !== 'waiting' && current.state !== 'paying') return
    if (to === 'failed' && current.state === 'waiting') {
      await transitionOrder(tx, scope, o, 'paying')
    }
    if (current.state !== to) {
      const columns = failReason === undefined ? {} : { fail_reason: failReason.slice(0, 200) }
      await transitionOrder(tx, scope, o, to, columns, failReason)
    }
    if (to !== 'paying') {
      await releaseBills(tx, owner, o.id)
    }
  })

/** Asks the channel about an order that waits; without an answer it stays as it is. */
export async function queryOrderAtChannel(app: App, owner: number, o: PayOrder): Promise<PayOrder> {
  if (!o.channel || o.state === 'paid' || o.state === 'refunded') return o
  let result: ChannelOrderResult
  try {
    result = await (await getOrderChannelClient(app, owner, o)).queryOrder(o.orderNo)
  } catch (err) {
    app.log.warn({ err: messageOf(err), order: o.orderNo }, 'the channel does not answer')
    return o
  }
  return applyChannelResult(app, owner, o, result, 'asked')
}

/** A person accepts what the channel has got, though it is another amount (PAY-6). */
export async function acceptReceivedAmount(app: App, owner: number, o: PayOrder): Promise<PayOrder> {
  if (o.state !== 'paying' || o.failReason === undefined || !o.channel)
    return refuse('这张支付单没有等待人工处理')
  const result = await (await getOrderChannelClient(app, owner, o)).queryOrder(o.orderNo).catch(err => {
    app.log.warn({ err: messageOf(err), order: o.orderNo }, 'the channel does not answer')
    return refuse('支付渠道没有回答，请稍后再试')
  })
  return applyChannelResult(app, owner, o, result, 'manual')
}

const lastQueryTimes = new Map<number, number>()

/** PAY-3: the dialog's polls reach the channel every two seconds at most. */
export function queryOrderThrottled(app: App, owner: number, o: PayOrder): Promise<PayOrder> {
  const now = app.clock()
  const last = lastQueryTimes.get(o.id)
  if ((o.state !== 'waiting' && o.state !== 'paying') || (last !== undefined && now - last < 2000))
    return Promise.resolve(o)
  if (lastQueryTimes.size > 10_000) {
    lastQueryTimes.clear()
  }
  lastQueryTimes.set(o.id, now)
  return queryOrderAtChannel(app, owner, o)
}

/**
 * Closes an order: one that a channel knows is first queried and closed there (C5.1: 60 → 30). Refuses when
 * the channel does not answer.
 */
export async function closePayOrder(
  app: App,
  owner: number,
  o: PayOrder,
  scope: Scope,
  reason: string,
): Promise<PayOrder> {
  if (o.channel && (o.state === 'waiting' || o.state === 'paying')) {
    const refuseUnknown = (err: unknown): never => {
      if (err instanceof Refused) throw err
      app.log.warn({ err: messageOf(err), order: o.orderNo }, 'the channel does not close')
      return refuse('支付渠道没有回答，还不知道对方是否已付款，请稍后再取消')
    }
    const client = await getOrderChannelClient(app, owner, o)
    const result = await client.queryOrder(o.orderNo).catch(refuseUnknown)
    if (result.state === 'paid' || result.state === 'failed')
      return applyChannelResult(app, owner, o, result, 'asked')
    if (result.state !== 'closed') {
      await client.closeOrder(o.orderNo, o.payType === 'scanner').catch(refuseUnknown)
      const then = await client.queryOrder(o.orderNo).catch(refuseUnknown)
      if (then.state === 'paid') return applyChannelResult(app, owner, o, then, 'asked')
    }
  }
  await app.database.tx(owner, async tx => {
    if (await transitionOrder(tx, scope, o, 'closed', { fail_reason: reason }, reason)) {
      await releaseBills(tx, owner, o.id)
    }
  })
  return reloadOrder(app, owner, o.id)
}

/** Binds an order to a channel, once: it is 支付中 then, and another channel or way needs a new order. */
export async function assignOrderChannel(
  app: App,
  owner: number,
  o: PayOrder,
  to: Channel,
  way: ChoiceOf<typeof payType>,
): Promise<PayOrder> {
  await app.database.tx(owner, async tx => {
    const now = await requireById(tx, payOrder, orderSystemScope(owner), o.id, true)
    if (now.channel && (now.channel !== to || now.payType !== way))
      refuse('这张支付单已用另一种方式发起，请先取消再换方式')
    if (now.channel && way === 'scanner') refuse('这张支付单已经扫过码，请等待结果，或取消后重新发起')
    if (now.channel && way === 'pos') refuse('这张支付单已经发到 POS 机，请等待结果，或取消后重新发起')
    if (now.state !== 'waiting' && now.state !== 'paying') refuse('这张支付单已经结束，请重新发起收款')
    if (now.expireTime <= fromInstant(app.clock())) refuse('这张支付单已过期，请重新发起收款')
    await tx.execute(
      sql`
        update pay_order
        set channel = ${Number(codeOf(channel, to))}, pay_type = ${Number(codeOf(payType, way))}
        where owner_id = ${owner} and id = ${o.id}
      `,
    )
    if (now.state === 'waiting') {
      await transitionOrder(tx, orderSystemScope(owner, o.projectCode), o, 'paying')
    }
  })
  return reloadOrder(app, owner, o.id)
}
