import { codeOf } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { releaseBills } from '#modules/bills/server/public.ts'
import { channel, notifySource, payType } from '../contract/choices.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { getOrderChannelClient } from './channels/channel-accounts.ts'
import type { Channel, ChannelOrderResult } from './channels/channel-client.ts'
import { confirmPayment, orderSystemScope, transitionOrder } from './order-confirmation.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'

export const reloadOrder = (app: App, owner: number, id: number): Promise<PayOrder> =>
  requireById(app.database.reader(owner), payOrder, orderSystemScope(owner), id)

/**
 * Makes of the order what the channel says of it. The bills of one that failed or was closed over there are
 * let go of.
 */
export async function applyChannelResult(
  app: App,
  owner: number,
  o: PayOrder,
  said: ChannelOrderResult,
  source: ChoiceOf<typeof notifySource>,
): Promise<PayOrder> {
  if (said.state === 'paid') {
    await confirmPayment(app, owner, o.id, { ...said, channel: o.channel!, source })
  } else if (said.state === 'failed' || said.state === 'closed' || said.state === 'paying') {
    await app.database.tx(owner, async tx => {
      const scope = orderSystemScope(owner, o.projectCode)
      const to =
        said.state === 'paying'
          ? ('paying' as const)
          : said.state === 'closed'
            ? ('closed' as const)
            : ('failed' as const)
      // Whatever the channel says later of an order that is over changes nothing; 40 is left by a new attempt
      // only.
      const now = await requireById(tx, payOrder, orderSystemScope(owner), o.id, true)
      if (now.state !== 'waiting' && now.state !== 'paying') return
      if (to === 'failed' && now.state === 'waiting') {
        await transitionOrder(tx, scope, o, 'paying')
      }
      if (now.state !== to) {
        await transitionOrder(
          tx,
          scope,
          o,
          to,
          said.state === 'failed' ? { fail_reason: said.why.slice(0, 200) } : {},
          said.state === 'failed' ? said.why : undefined,
        )
      }
      if (to !== 'paying') {
        await releaseBills(tx, owner, o.id)
      }
    })
  } else {
    return o
  }
  return reloadOrder(app, owner, o.id)
}

/** Asks the channel of an order that waits; an answer that cannot be had leaves it as it is. */
export async function queryOrderAtChannel(app: App, owner: number, o: PayOrder): Promise<PayOrder> {
  if (!o.channel || o.state === 'paid' || o.state === 'refunded') return o
  let said: ChannelOrderResult
  try {
    said = await (await getOrderChannelClient(app, owner, o)).queryOrder(o.orderNo)
  } catch (err) {
    app.log.warn({ err: (err as Error).message, order: o.orderNo }, 'the channel does not answer')
    return o
  }
  return applyChannelResult(app, owner, o, said, 'asked')
}

/** What the channel says it has got is taken as it is, by a person's word (PAY-6). */
export async function acceptReceivedAmount(app: App, owner: number, o: PayOrder): Promise<PayOrder> {
  if (o.state !== 'paying' || o.failReason === undefined || !o.channel)
    return refuse('这张支付单没有等待人工处理')
  const said = await (await getOrderChannelClient(app, owner, o)).queryOrder(o.orderNo).catch(err => {
    app.log.warn({ err: (err as Error).message, order: o.orderNo }, 'the channel does not answer')
    return refuse('支付渠道没有回答，请稍后再试')
  })
  return applyChannelResult(app, owner, o, said, 'manual')
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
 * Closes an order: one that a channel knows of is asked for, then closed over there, and only then here
 * (C5.1: 60 → 30). Refuses where the channel cannot be heard.
 */
export async function closePayOrder(
  app: App,
  owner: number,
  o: PayOrder,
  scope: Scope,
  reason: string,
): Promise<PayOrder> {
  if (o.channel && (o.state === 'waiting' || o.state === 'paying')) {
    const silent = (err: unknown): never => {
      if (err instanceof Refused) throw err
      app.log.warn({ err: (err as Error).message, order: o.orderNo }, 'the channel does not close')
      return refuse('支付渠道没有回答，还不知道对方是否已付款，请稍后再取消')
    }
    const gate = await getOrderChannelClient(app, owner, o)
    const said = await gate.queryOrder(o.orderNo).catch(silent)
    if (said.state === 'paid' || said.state === 'failed')
      return applyChannelResult(app, owner, o, said, 'asked')
    if (said.state !== 'closed') {
      await gate.closeOrder(o.orderNo, o.payType === 'scanner').catch(silent)
      const then = await gate.queryOrder(o.orderNo).catch(silent)
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

/**
 * Takes an order to a channel, once: from then on it is 支付中, and another channel or another way needs an
 * order of its own.
 */
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
