import { codeOf } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { need } from '#kit/server/table.ts'
import type { World } from '#kit/server/world.ts'
import { release } from '#modules/bills/server/public.ts'
import { channel, notifySource, payType } from '../contract/choices.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { gateFor } from './gates/accounts.ts'
import type { Channel, Said } from './gates/gate.ts'
import { confirm, own, stepOrder } from './order-confirm.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'

export const freshOrder = (world: World, owner: number, id: number): Promise<PayOrder> =>
  need(world.store.reader(owner), payOrder, own(owner), id)

/**
 * Makes of the order what the channel says of it. The bills of one that failed or was closed over there are
 * let go of.
 */
export async function apply(
  world: World,
  owner: number,
  o: PayOrder,
  said: Said,
  source: ChoiceOf<typeof notifySource>,
): Promise<PayOrder> {
  if (said.state === 'paid') {
    await confirm(world, owner, o.id, { ...said, channel: o.channel!, source })
  } else if (said.state === 'failed' || said.state === 'closed' || said.state === 'paying') {
    await world.store.tx(owner, async tx => {
      const scope = own(owner, o.projectCode)
      const to =
        said.state === 'paying'
          ? ('paying' as const)
          : said.state === 'closed'
            ? ('closed' as const)
            : ('failed' as const)
      // Whatever the channel says later of an order that is over changes nothing; 40 is left by a new attempt
      // only.
      const now = await need(tx, payOrder, own(owner), o.id, true)
      if (now.state !== 'waiting' && now.state !== 'paying') return
      if (to === 'failed' && now.state === 'waiting') {
        await stepOrder(tx, scope, o, 'paying')
      }
      if (now.state !== to) {
        await stepOrder(
          tx,
          scope,
          o,
          to,
          said.state === 'failed' ? { fail_reason: said.why.slice(0, 200) } : {},
          said.state === 'failed' ? said.why : undefined,
        )
      }
      if (to !== 'paying') {
        await release(tx, owner, o.id)
      }
    })
  } else {
    return o
  }
  return freshOrder(world, owner, o.id)
}

/** Asks the channel of an order that waits; an answer that cannot be had leaves it as it is. */
export async function ask(world: World, owner: number, o: PayOrder): Promise<PayOrder> {
  if (!o.channel || o.state === 'paid' || o.state === 'refunded') return o
  let said: Said
  try {
    said = await (await gateFor(world, owner, o)).query(o.orderNo)
  } catch (err) {
    world.log.warn({ err: (err as Error).message, order: o.orderNo }, 'the channel does not answer')
    return o
  }
  return apply(world, owner, o, said, 'asked')
}

/** What the channel says it has got is taken as it is, by a person's word (PAY-6). */
export async function accept(world: World, owner: number, o: PayOrder): Promise<PayOrder> {
  if (o.state !== 'paying' || o.failReason === undefined || !o.channel)
    return refuse('这张支付单没有等待人工处理')
  const said = await (await gateFor(world, owner, o)).query(o.orderNo).catch(err => {
    world.log.warn({ err: (err as Error).message, order: o.orderNo }, 'the channel does not answer')
    return refuse('支付渠道没有回答，请稍后再试')
  })
  return apply(world, owner, o, said, 'manual')
}

const lately = new Map<number, number>()

/** PAY-3: the dialog's polls reach the channel every two seconds at most. */
export function askLately(world: World, owner: number, o: PayOrder): Promise<PayOrder> {
  const now = world.clock()
  const last = lately.get(o.id)
  if ((o.state !== 'waiting' && o.state !== 'paying') || (last !== undefined && now - last < 2000))
    return Promise.resolve(o)
  if (lately.size > 10_000) {
    lately.clear()
  }
  lately.set(o.id, now)
  return ask(world, owner, o)
}

/**
 * Closes an order: one that a channel knows of is asked for, then closed over there, and only then here
 * (C5.1: 60 → 30). Refuses where the channel cannot be heard.
 */
export async function close(
  world: World,
  owner: number,
  o: PayOrder,
  scope: Scope,
  reason: string,
): Promise<PayOrder> {
  if (o.channel && (o.state === 'waiting' || o.state === 'paying')) {
    const silent = (err: unknown): never => {
      if (err instanceof Refused) throw err
      world.log.warn({ err: (err as Error).message, order: o.orderNo }, 'the channel does not close')
      return refuse('支付渠道没有回答，还不知道对方是否已付款，请稍后再取消')
    }
    const gate = await gateFor(world, owner, o)
    const said = await gate.query(o.orderNo).catch(silent)
    if (said.state === 'paid' || said.state === 'failed') return apply(world, owner, o, said, 'asked')
    if (said.state !== 'closed') {
      await gate.close(o.orderNo, o.payType === 'scanner').catch(silent)
      const then = await gate.query(o.orderNo).catch(silent)
      if (then.state === 'paid') return apply(world, owner, o, then, 'asked')
    }
  }
  await world.store.tx(owner, async tx => {
    if (await stepOrder(tx, scope, o, 'closed', { fail_reason: reason }, reason)) {
      await release(tx, owner, o.id)
    }
  })
  return freshOrder(world, owner, o.id)
}

/**
 * Takes an order to a channel, once: from then on it is 支付中, and another channel or another way needs an
 * order of its own.
 */
export async function begin(
  world: World,
  owner: number,
  o: PayOrder,
  to: Channel,
  way: ChoiceOf<typeof payType>,
): Promise<PayOrder> {
  await world.store.tx(owner, async tx => {
    const now = await need(tx, payOrder, own(owner), o.id, true)
    if (now.channel && (now.channel !== to || now.payType !== way))
      refuse('这张支付单已用另一种方式发起，请先取消再换方式')
    if (now.channel && way === 'scanner') refuse('这张支付单已经扫过码，请等待结果，或取消后重新发起')
    if (now.channel && way === 'pos') refuse('这张支付单已经发到 POS 机，请等待结果，或取消后重新发起')
    if (now.state !== 'waiting' && now.state !== 'paying') refuse('这张支付单已经结束，请重新发起收款')
    if (now.expireTime <= fromInstant(world.clock())) refuse('这张支付单已过期，请重新发起收款')
    await tx.run(
      sql`
        update pay_order
        set channel = ${Number(codeOf(channel, to))}, pay_type = ${Number(codeOf(payType, way))}
        where owner_id = ${owner} and id = ${o.id}
      `,
    )
    if (now.state === 'waiting') {
      await stepOrder(tx, own(owner, o.projectCode), o, 'paying')
    }
  })
  return freshOrder(world, owner, o.id)
}
