import { defined } from '#kit/domain/defined.ts'
import { createHash } from 'node:crypto'
import { codeOf, keyOf, labelOf, type ChoiceOf, type Id } from '#kit/contract/field.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { formatYuan, parseYuan } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { code, codes } from '#kit/server/sql.ts'
import { channel, orderState, refundState } from '#modules/payments/contract/choices.ts'
import {
  advanceRefund,
  confirmPayment,
  ForgedMessageError,
  getChannelClient,
  BillNotReadyError,
  type ChannelLine,
} from '#modules/payments/server/public.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { channelBillSource, channelBillState, diffType } from '../contract/choices.ts'
import { menu, reconcileDayPath } from '../module.ts'
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
  label: '渠道账单获取失败',
  group: 'todo',
  level: 'important',
})

const isDifference = (difference: OpenDifference, type: ChoiceOf<typeof diffType>): boolean =>
  difference.diffType === Number(codeOf(diffType, type))

const hasPaidOrder = ({ orderState: state }: OpenDifference): boolean =>
  state === Number(codeOf(orderState, 'paid')) || state === Number(codeOf(orderState, 'refunded'))

/**
 * What can be settled safely: money at the channel for an order of ours, by the one way in which orders are
 * paid; a refund of ours that the channel has made.
 */
async function settleDifferences(
  app: App,
  ownerId: Id,
  billChannel: Channel,
  differences: readonly OpenDifference[],
): Promise<boolean> {
  const orders = differences.filter(
    f =>
      f.orderId !== undefined &&
      f.transactionId &&
      (isDifference(f, 'state') || (isDifference(f, 'onlyChannel') && hasPaidOrder(f))),
  )
  const refunds = differences.filter(
    f =>
      isDifference(f, 'refund') &&
      f.refundId !== undefined &&
      f.refundState === Number(codeOf(refundState, 'doing')) &&
      parseYuan(f.channelAmount) > 0,
  )
  // Each is a transaction of its own: an order that cannot be booked is held for a person and does not
  // stop the others.
  for (const item of orders) {
    await confirmPayment(app, ownerId, defined(item.orderId), {
      transactionId: defined(item.transactionId),
      amount: parseYuan(item.channelAmount),
      at: item.tradeTime,
      channel: billChannel,
      source: 'asked',
    }).catch(err =>
      app.log.warn({ err: errorMessage(err), order: item.orderId }, 'an order of a bill was not brought on'),
    )
  }
  for (const f of refunds) {
    await advanceRefund(app, ownerId, defined(f.refundId)).catch(err =>
      app.log.warn({ err: errorMessage(err), refund: f.refundId }, 'a refund of a bill was not brought on'),
    )
  }
  return orders.length + refunds.length > 0
}

/** Compares a day that has its lines, settles what is safe, compares again, notifies of what is new. */
async function reconcileDay(
  app: App,
  ownerId: Id,
  billChannel: Channel,
  day: Day,
  prepare: (bill: ChannelBillKey, tx: Tx) => Promise<void>,
): Promise<Id> {
  const channelCode = codeOfChannel(billChannel)
  const now = fromInstant(app.clock())
  const { bill, open: openDifferences } = await app.database.tx(ownerId, async tx => {
    await lockChannelBill(tx, ownerId, channelCode, day)
    const ensured = await ensureChannelBill(tx, ownerId, channelCode, day)
    await prepare(ensured, tx)
    return { bill: ensured, open: await compareBill(tx, ownerId, ensured, now) }
  })
  const hasSettled = await settleDifferences(app, ownerId, billChannel, openDifferences)
  await app.database.tx(ownerId, async tx => {
    await lockChannelBill(tx, ownerId, channelCode, day)
    if (hasSettled) {
      await compareBill(tx, ownerId, bill, now)
    }
    const unnotified = await claimUnnotified(tx, ownerId, bill)
    if (unnotified.count) {
      await notify(tx, app, ownerId, {
        kind: differencesNotice,
        to: { permission: menu.reconcile.permissions.handle },
        title: `${labelOf(channel, billChannel)} ${day} 有 ${unnotified.count} 笔对账差异`,
        text: `合计相差 ${formatYuan(unnotified.amount, { thousands: true })} 元，请核对处理`,
        link: reconcileDayPath(bill.id),
        bizId: bill.id,
      })
    }
  })
  return bill.id
}

/** The day before is compared again once this one is here: what was paid at midnight may be in it. */
async function reconcileNeighbourDays(app: App, ownerId: Id, payChannel: Channel, day: Day): Promise<void> {
  const channelCode = codeOfChannel(payChannel)
  for (const neighbour of [addDays(day, -1), addDays(day, 1)]) {
    if (
      await app.database.reader(ownerId).one(
        sql`
            select 1 as x
            from channel_bill
            where owner_id = ${ownerId} and channel = ${channelCode} and check_date = ${neighbour} and open_count > 0
          `,
      )
    ) {
      await reconcileDay(app, ownerId, payChannel, neighbour, async () => undefined)
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
  ownerId: Id,
  billChannel: Channel,
  day: Day,
  lines: readonly ChannelLine[],
  { source, scope, hash }: BillIntake,
): Promise<Id> {
  const now = fromInstant(app.clock())
  const id = await reconcileDay(app, ownerId, billChannel, day, async (ensured, tx) => {
    await replaceBillLines(tx, ownerId, ensured, lines)
    await tx.execute(
      sql`
        update channel_bill
        set source = ${code(channelBillSource, source)}, pull_time = ${now}::timestamptz,
          operator_name = ${scope.name}, run_hash = ${hash ?? null}, version = version + 1,
          update_by = ${scope.operatorId}
        where owner_id = ${ownerId} and id = ${ensured.id}
      `,
    )
    await audit(tx, scope, [
      {
        action: source === 'pulled' ? 'update' : 'import',
        entity: 'channelBill',
        entityId: ensured.id,
        after: { checkDate: day, channel: billChannel, lines: lines.length, ...(hash ? { hash } : {}) },
      },
    ])
  })
  await reconcileNeighbourDays(app, ownerId, billChannel, day)
  return id
}

/** Why no bill came, for people. */
function fetchFailureReason(error: unknown): string {
  if (error instanceof BillNotReadyError) return '渠道的账单尚未生成，请稍后再获取'
  if (error instanceof ForgedMessageError) return `${error.message}，未采用`
  return error instanceof Refused ? error.message : '支付渠道未返回账单，请稍后重试'
}

/** Notes on the day's row why no bill came; a forged one is audited, people are notified once. */
async function recordFetchFailure(
  app: App,
  ownerId: Id,
  billChannel: Channel,
  day: Day,
  scope: Scope,
  error: unknown,
): Promise<void> {
  const reason = fetchFailureReason(error)
  const isNotReady = error instanceof BillNotReadyError
  const label = `${labelOf(channel, billChannel)} ${day}`
  await app.database.tx(ownerId, async tx => {
    const channelCode = codeOfChannel(billChannel)
    await lockChannelBill(tx, ownerId, channelCode, day)
    const bill = await ensureChannelBill(tx, ownerId, channelCode, day)
    const isNew = await tx.execute(
      sql`
        update channel_bill
        set state = case
          when state in ${codes(channelBillState, 'waiting', 'failed')}
            then ${code(channelBillState, isNotReady ? 'waiting' : 'failed')}
          else state
          end,
          fail_reason = ${reason.slice(0, 200)}, update_time = ${scope.time}::timestamptz
        where owner_id = ${ownerId} and id = ${bill.id} and fail_reason is distinct from ${reason.slice(0, 200)}
      `,
    )
    if (error instanceof ForgedMessageError) {
      await audit(tx, scope, [
        {
          action: 'refused',
          entity: 'channelBill',
          entityId: bill.id,
          reason: `${label} 的账单被拒绝：${error.message}`,
        },
      ])
    }
    if (isNew && !isNotReady) {
      await notify(tx, app, ownerId, {
        kind: pullFailedNotice,
        to: { permission: menu.reconcile.permissions.pull },
        title: `${label} 的账单获取失败`,
        text: reason,
        link: reconcileDayPath(bill.id),
        bizId: bill.id,
      })
    }
  })
}

const isExpectedFailure = (error: unknown): boolean =>
  error instanceof BillNotReadyError || error instanceof ForgedMessageError || error instanceof Refused

/**
 * Fetches the channel's own bill. One that is not there yet, or not to be believed, leaves what was there as
 * it is; the row says why.
 */
export async function pullDayBill(
  app: App,
  ownerId: Id,
  billChannel: Channel,
  day: Day,
  scope: Scope,
): Promise<Id> {
  let lines: readonly ChannelLine[]
  try {
    const client = await getChannelClient(app, ownerId, billChannel)
    lines = await client.fetchBill(day)
  } catch (error) {
    if (!isExpectedFailure(error)) {
      app.log.warn({ err: errorMessage(error), channel: billChannel, day }, 'no bill')
    }
    await recordFetchFailure(app, ownerId, billChannel, day, scope, error)
    return refuse(fetchFailureReason(error))
  }
  return storeBill(app, ownerId, billChannel, day, lines, { source: 'pulled', scope })
}

/** Compares again with what has been booked since; needs a bill. */
export async function recheckBill(app: App, ownerId: Id, id: Id): Promise<void> {
  const bill = await app.database.reader(ownerId).one<{ channel: number; day: Day; state: number }>(
    sql`
        select channel::int as channel, check_date as day, state::int as state
        from channel_bill
        where owner_id = ${ownerId} and id = ${id}
      `,
  )
  if (!bill) return refuse('没有该日账单，请刷新后重试')
  const state = keyOf(channelBillState, bill.state)
  if (state !== 'same' && state !== 'different') return refuse('该日账单尚未获取，请先获取或导入')
  await reconcileDay(app, ownerId, defined(keyOf(channel, bill.channel)), bill.day, async () => undefined)
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
