import { defined } from '#kit/domain/defined.ts'
import { createHash } from 'node:crypto'
import { codeOf, keyOf, labelOf } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { formatYuan, parseYuan } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { codes } from '#kit/server/sql.ts'
import { channel } from '#modules/payments/contract/choices.ts'
import {
  advanceRefund,
  confirmPayment,
  ForgedMessageError,
  getChannelClient,
  BillNotReadyError,
  type ChannelLine,
} from '#modules/payments/server/public.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { channelBillState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import {
  lockChannelBill,
  ensureChannelBill,
  codeOfChannel,
  compareBill,
  replaceBillLines,
  claimUnnotified,
  type Channel,
  type OpenDifference,
} from './comparison.ts'
import type { ChannelBillKey } from './difference-queries.ts'

const differencesNotice = defineNotificationKind({
  key: 'reconcile.differs',
  label: '对账差异',
  group: 'todo',
  level: 'important',
})

const pullFailedNotice = defineNotificationKind({
  key: 'reconcile.failed',
  label: '渠道账单没有取到',
  group: 'todo',
  level: 'important',
})

export const reconcileDayPath = (id: number): string => `/finance/chargemanage/reconcile/day/${id}`

/**
 * What can be settled safely: money at the channel for an order of ours, by the one way in which orders are
 * paid; a refund of ours that the channel has made.
 */
async function settleDifferences(
  app: App,
  owner: number,
  c: Channel,
  open: readonly OpenDifference[],
): Promise<boolean> {
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
    await confirmPayment(app, owner, defined(f.orderId), {
      transactionId: defined(f.transactionId),
      amount: parseYuan(f.channelAmount),
      at: f.tradeTime,
      channel: c,
      source: 'asked',
    }).catch(err =>
      app.log.warn(
        { err: (err as Error).message, order: f.orderId },
        'an order of a bill was not brought on',
      ),
    )
  }
  for (const f of refunds) {
    await advanceRefund(app, owner, defined(f.refundId)).catch(err =>
      app.log.warn(
        { err: (err as Error).message, refund: f.refundId },
        'a refund of a bill was not brought on',
      ),
    )
  }
  return orders.length + refunds.length > 0
}

/** Compares a day that has its lines, settles what is safe, compares again, tells of what is new. */
async function reconcileDay(
  app: App,
  owner: number,
  c: Channel,
  day: Day,
  first: (
    b: ChannelBillKey & { readonly state: number },
    tx: Parameters<typeof compareBill>[0],
  ) => Promise<void>,
): Promise<number> {
  const code = codeOfChannel(c)
  const now = fromInstant(app.clock())
  const { b, open } = await app.database.tx(owner, async tx => {
    await lockChannelBill(tx, owner, code, day)
    const b = await ensureChannelBill(tx, owner, code, day)
    await first(b, tx)
    return { b, open: await compareBill(tx, owner, b, now) }
  })
  const brought = await settleDifferences(app, owner, c, open)
  await app.database.tx(owner, async tx => {
    await lockChannelBill(tx, owner, code, day)
    if (brought) {
      await compareBill(tx, owner, b, now)
    }
    const told = await claimUnnotified(tx, owner, b)
    if (told.count) {
      await notify(tx, app, owner, {
        kind: differencesNotice,
        to: { permission: menu.reconcile.permissions.handle },
        title: `${labelOf(channel, c)} ${day} 有 ${told.count} 笔对账差异`,
        text: `合计相差 ${formatYuan(told.amount, { thousands: true })} 元，请核对处理`,
        link: reconcileDayPath(b.id),
        bizId: b.id,
      })
    }
  })
  return b.id
}

/** The day before is compared again once this one is here: what was paid at midnight may stand in it. */
async function reconcileNeighbourDays(app: App, owner: number, c: Channel, day: Day): Promise<void> {
  const code = codeOfChannel(c)
  for (const d of [addDays(day, -1), addDays(day, 1)]) {
    if (
      await app.database.reader(owner).one(
        sql`
            select 1 as x
            from channel_bill
            where owner_id = ${owner} and channel = ${code} and check_date = ${d} and open_count > 0
          `,
      )
    ) {
      await reconcileDay(app, owner, c, d, async () => undefined)
    }
  }
}

interface BillIntake {
  readonly source: 'pulled' | 'imported'
  readonly scope: Scope
  readonly hash?: string
}

/** Puts a day's lines in and compares. */
export async function storeBill(
  app: App,
  owner: number,
  c: Channel,
  day: Day,
  lines: readonly ChannelLine[],
  t: BillIntake,
): Promise<number> {
  const now = fromInstant(app.clock())
  const id = await reconcileDay(app, owner, c, day, async (b, tx) => {
    await replaceBillLines(tx, owner, b, lines)
    await tx.execute(
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
  await reconcileNeighbourDays(app, owner, c, day)
  return id
}

/**
 * Fetches the channel's own bill. One that is not there yet, or not to be believed, leaves what was there as
 * it is; the row says why.
 */
export async function pullDayBill(
  app: App,
  owner: number,
  c: Channel,
  day: Day,
  scope: Scope,
): Promise<number> {
  let lines: readonly ChannelLine[]
  try {
    lines = await (await getChannelClient(app, owner, c)).fetchBill(day)
  } catch (e) {
    const forged = e instanceof ForgedMessageError
    const why =
      e instanceof BillNotReadyError
        ? '渠道的账单还没有生成，请稍后再取'
        : forged
          ? `${e.message}，没有采用`
          : e instanceof Refused
            ? e.message
            : '支付渠道没有给出账单，请稍后重试'
    if (!(e instanceof BillNotReadyError) && !forged && !(e instanceof Refused)) {
      app.log.warn({ err: (e as Error).message, channel: c, day }, 'no bill')
    }
    await app.database.tx(owner, async tx => {
      const code = codeOfChannel(c)
      await lockChannelBill(tx, owner, code, day)
      const b = await ensureChannelBill(tx, owner, code, day)
      const fresh = await tx.execute(
        sql`
          update channel_bill
          set state = case
            when state in ${codes(channelBillState, 'waiting', 'failed')}
              then ${codeOf(channelBillState, e instanceof BillNotReadyError ? 'waiting' : 'failed')}::smallint
            else state
            end,
            fail_reason = ${why.slice(0, 200)}, update_time = ${scope.time}::timestamptz
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
      if (fresh && !(e instanceof BillNotReadyError)) {
        await notify(tx, app, owner, {
          kind: pullFailedNotice,
          to: { permission: menu.reconcile.permissions.pull },
          title: `${labelOf(channel, c)} ${day} 的账单没有取到`,
          text: why,
          link: reconcileDayPath(b.id),
          bizId: b.id,
        })
      }
    })
    return refuse(why)
  }
  return storeBill(app, owner, c, day, lines, { source: 'pulled', scope })
}

/** Compares again with what has been booked since; needs a bill. */
export async function recheckBill(app: App, owner: number, id: number): Promise<void> {
  const b = await app.database.reader(owner).one<{ channel: number; day: Day; state: number }>(
    sql`
        select channel::int as channel, check_date as day, state::int as state
        from channel_bill
        where owner_id = ${owner} and id = ${id}
      `,
  )
  if (!b) return refuse('没有这一天的账单，请刷新后重试')
  if (b.state !== 20 && b.state !== 30) return refuse('这一天的账单还没有取到，请先拉取或导入')
  await reconcileDay(app, owner, defined(keyOf(channel, b.channel)), b.day, async () => undefined)
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
