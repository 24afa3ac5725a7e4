import { createHash } from 'node:crypto'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { formatYuan, parseYuan } from '#kit/domain/money.ts'
import { dayAt, fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import type { World } from '#kit/server/world.ts'
import { channel } from '#modules/payments/contract/choices.ts'
import {
  bringRefund,
  confirm,
  Forged,
  gateOf,
  NotYet,
  type ChannelLine,
} from '#modules/payments/server/public.ts'
import { noticeKind, notify } from '#modules/system/server/public.ts'
import { menu } from '../module.ts'
import {
  billLock,
  billRow,
  codeOfChannel,
  compare,
  keepLines,
  untold,
  type Bill,
  type Channel,
  type Found,
} from './compare.ts'

const differs = noticeKind({ key: 'reconcile.differs', label: '对账差异', group: 'todo', level: 'important' })

const failed = noticeKind({
  key: 'reconcile.failed',
  label: '渠道账单没有取到',
  group: 'todo',
  level: 'important',
})

export const dayLink = (id: number): string => `/finance/chargemanage/reconcile/day/${id}`

/**
 * What can be settled safely: money at the channel for an order of ours, by the one way in which orders are
 * paid; a refund of ours that the channel has made.
 */
async function bringOn(world: World, owner: number, c: Channel, open: readonly Found[]): Promise<boolean> {
  const orders = open.filter(
    f =>
      f.orderId !== undefined &&
      f.transactionId &&
      (f.diffType === 40 || (f.diffType === 20 && (f.orderState === 20 || f.orderState === 50))),
  )
  const refunds = open.filter(
    f =>
      f.diffType === 50 && f.refundId !== undefined && f.refundState === 20 && parseYuan(f.channelAmount) > 0,
  )
  // Each is a transaction of its own: an order that cannot be booked is held for a person and hinders no
  // other.
  for (const f of orders) {
    await confirm(world, owner, f.orderId!, {
      transactionId: f.transactionId!,
      amount: parseYuan(f.channelAmount),
      at: f.tradeTime,
      channel: c,
      source: 'asked',
    }).catch(err =>
      world.log.warn(
        { err: (err as Error).message, order: f.orderId },
        'an order of a bill was not brought on',
      ),
    )
  }
  for (const f of refunds) {
    await bringRefund(world, owner, f.refundId!).catch(err =>
      world.log.warn(
        { err: (err as Error).message, refund: f.refundId },
        'a refund of a bill was not brought on',
      ),
    )
  }
  return orders.length + refunds.length > 0
}

/** Compares a day that has its lines, settles what is safe, compares again, tells of what is new. */
async function reckon(
  world: World,
  owner: number,
  c: Channel,
  day: Day,
  first: (b: Bill & { readonly state: number }, tx: Parameters<typeof compare>[0]) => Promise<void>,
): Promise<number> {
  const code = codeOfChannel(c)
  const now = fromInstant(world.clock())
  const { b, open } = await world.store.tx(owner, async tx => {
    await billLock(tx, owner, code, day)
    const b = await billRow(tx, owner, code, day)
    await first(b, tx)
    return { b, open: await compare(tx, owner, b, now) }
  })
  const brought = await bringOn(world, owner, c, open)
  await world.store.tx(owner, async tx => {
    await billLock(tx, owner, code, day)
    if (brought) {
      await compare(tx, owner, b, now)
    }
    const told = await untold(tx, owner, b)
    if (told.count) {
      await notify(tx, world, owner, {
        kind: differs,
        to: { may: menu.reconcile.may.handle },
        title: `${labelOf(channel, c)} ${day} 有 ${told.count} 笔对账差异`,
        text: `合计相差 ${formatYuan(told.amount, { thousands: true })} 元，请核对处理`,
        link: dayLink(b.id),
        bizId: b.id,
      })
    }
  })
  return b.id
}

/** The day before is compared again once this one is here: what was paid at midnight may stand in it. */
async function neighbours(world: World, owner: number, c: Channel, day: Day): Promise<void> {
  const code = codeOfChannel(c)
  for (const d of [addDays(day, -1), addDays(day, 1)]) {
    if (
      await world.store.reader(owner).one(
        sql`
            select 1 as x
            from channel_bill
            where owner_id = ${owner} and channel = ${code} and check_date = ${d} and open_count > 0
          `,
      )
    ) {
      await reckon(world, owner, c, d, async () => undefined)
    }
  }
}

interface Taking {
  readonly source: 'pulled' | 'imported'
  readonly scope: Scope
  readonly hash?: string
}

/** Puts a day's lines in and compares. */
export async function takeBill(
  world: World,
  owner: number,
  c: Channel,
  day: Day,
  lines: readonly ChannelLine[],
  t: Taking,
): Promise<number> {
  const now = fromInstant(world.clock())
  const id = await reckon(world, owner, c, day, async (b, tx) => {
    await keepLines(tx, owner, b, lines)
    await tx.run(
      sql`
        update channel_bill
        set source = ${t.source === 'pulled' ? 10 : 20}, pull_time = ${now}::timestamptz,
          operator_name = ${t.scope.name}, run_hash = ${t.hash ?? null}, version = version + 1,
          update_by = ${t.scope.operatorId}
        where owner_id = ${owner} and id = ${b.id}
      `,
    )
    await audit(tx, t.scope, [
      {
        action: t.source === 'pulled' ? 'update' : 'import',
        entity: 'channelBill',
        entityId: b.id,
        after: { checkDate: day, channel: c, lines: lines.length, ...(t.hash ? { hash: t.hash } : {}) },
      },
    ])
  })
  await neighbours(world, owner, c, day)
  return id
}

/**
 * Fetches the channel's own bill. One that is not there yet, or not to be believed, leaves what was there as
 * it is; the row says why.
 */
export async function pull(world: World, owner: number, c: Channel, day: Day, scope: Scope): Promise<number> {
  let lines: readonly ChannelLine[]
  try {
    lines = await (await gateOf(world, owner, c)).bill(day)
  } catch (e) {
    const forged = e instanceof Forged
    const why =
      e instanceof NotYet
        ? '渠道的账单还没有生成，请稍后再取'
        : forged
          ? `${e.message}，没有采用`
          : e instanceof Refused
            ? e.message
            : '支付渠道没有给出账单，请稍后重试'
    if (!(e instanceof NotYet) && !forged && !(e instanceof Refused)) {
      world.log.warn({ err: (e as Error).message, channel: c, day }, 'no bill')
    }
    await world.store.tx(owner, async tx => {
      const code = codeOfChannel(c)
      await billLock(tx, owner, code, day)
      const b = await billRow(tx, owner, code, day)
      const fresh = await tx.run(
        sql`
          update channel_bill
          set state = case when state in (10, 40) then ${e instanceof NotYet ? 10 : 40} else state end,
            fail_reason = ${why.slice(0, 200)}, update_time = now()
          where owner_id = ${owner} and id = ${b.id} and fail_reason is distinct from ${why.slice(0, 200)}
        `,
      )
      if (forged) {
        await audit(tx, scope, [
          {
            action: 'refused',
            entity: 'channelBill',
            entityId: b.id,
            reason: `${labelOf(channel, c)} ${day} 的账单被拒绝：${e.message}`,
          },
        ])
      }
      if (fresh && !(e instanceof NotYet)) {
        await notify(tx, world, owner, {
          kind: failed,
          to: { may: menu.reconcile.may.pull },
          title: `${labelOf(channel, c)} ${day} 的账单没有取到`,
          text: why,
          link: dayLink(b.id),
          bizId: b.id,
        })
      }
    })
    return refuse(why)
  }
  return takeBill(world, owner, c, day, lines, { source: 'pulled', scope })
}

/** Compares again with what has been booked since; needs a bill. */
export async function check(world: World, owner: number, id: number): Promise<void> {
  const b = await world.store.reader(owner).one<{ channel: number; day: Day; state: number }>(
    sql`
        select channel::int as channel, check_date as day, state::int as state
        from channel_bill
        where owner_id = ${owner} and id = ${id}
      `,
  )
  if (!b) return refuse('没有这一天的账单，请刷新后重试')
  if (b.state !== 20 && b.state !== 30) return refuse('这一天的账单还没有取到，请先拉取或导入')
  await reckon(world, owner, keyOf(channel, b.channel)!, b.day, async () => undefined)
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface Live {
  readonly ownerId: number
  readonly channel: number
  readonly since: Day
}

const daysBack = 7

/** Every live channel's bills of the last days that are not there yet; one that fails hinders no other. */
export async function pullAll(world: World, signal: AbortSignal): Promise<void> {
  const today = dayAt(world.clock())
  const live = await world.store.reader('*').rows<Live>(
    sql`
        select owner_id, channel::int as channel, (create_time at time zone 'Asia/Shanghai')::date as since
        from pay_channel
        where enabled and delete_tag = 0 and owner_id > 0 and (simulated or run_private_key is not null)
      `,
  )
  const had = new Set(
    (
      await world.store.reader('*').rows<{ ownerId: number; channel: number; day: Day }>(
        sql`
            select owner_id, channel::int as channel, check_date as day
            from channel_bill
            where state in (20, 30) and check_date >= ${addDays(today, -daysBack)}
          `,
      )
    ).map(r => `${r.ownerId}/${r.channel}/${r.day}`),
  )
  for (const l of live) {
    for (let back = daysBack; back >= 1 && !signal.aborted; back--) {
      const day = addDays(today, -back)
      if ((day < l.since && back > 1) || had.has(`${l.ownerId}/${l.channel}/${day}`)) continue
      await pull(world, l.ownerId, keyOf(channel, l.channel)!, day, systemScope(l.ownerId)).catch(err => {
        if (!(err instanceof Refused)) {
          world.log.warn({ err: (err as Error).message, owner: l.ownerId, day }, 'a bill was not compared')
        }
      })
    }
  }
}
