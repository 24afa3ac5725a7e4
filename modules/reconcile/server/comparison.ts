import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { ownNumberOf } from '#kit/domain/document-number.ts'
import { asFen, formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { code, codes } from '#kit/server/sql.ts'
import type { ChannelLine } from '#modules/payments/server/public.ts'
import { channel, orderState, refundState } from '#modules/payments/contract/choices.ts'
import {
  channelBillSource,
  channelBillState,
  diffType,
  reconcileItemState,
  tradeKind,
} from '../contract/choices.ts'
import { differencesQuery, localTradesQuery, type ChannelBillKey } from './difference-queries.ts'

export type Channel = ChoiceOf<typeof channel>
export const codeOfChannel = (c: Channel): number => Number(codeOf(channel, c))

/** One run at a time for a company, channel and day. */
export const lockChannelBill = (tx: Tx, ownerId: Id, c: number, day: Day): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`reconcile/${c}/${day}`}, ${ownerId}))`)

/** The row of the day, inserted when there is none yet. */
export async function ensureChannelBill(
  tx: Tx,
  ownerId: Id,
  channelCode: number,
  day: Day,
): Promise<ChannelBillKey & { readonly state: number }> {
  await tx.execute(
    sql`
      insert into channel_bill (owner_id, check_date, channel, source, state)
      values (
        ${ownerId}, ${day}, ${channelCode}, ${code(channelBillSource, 'pulled')}, ${code(channelBillState, 'waiting')}
      )
      on conflict do nothing
    `,
  )
  return {
    ...defined(
      await tx.one<{ id: Id; state: number }>(
        sql`
        select id, state::int as state
        from channel_bill
        where owner_id = ${ownerId} and channel = ${channelCode} and check_date = ${day}
      `,
      ),
    ),
    day,
    channel: channelCode,
  }
}

/** Replaces the lines of a bill; those of our orders and refunds go by our own numbers. */
export async function replaceBillLines(
  tx: Tx,
  ownerId: Id,
  bill: ChannelBillKey,
  lines: readonly ChannelLine[],
): Promise<void> {
  const rows = lines.map(line => ({
    kind: codeOf(tradeKind, line.kind),
    order_no: ownNumberOf(line.orderNo, ownerId).slice(0, 64),
    refund_no: ownNumberOf(line.refundNo, ownerId).slice(0, 64) || null,
    transaction_id: line.transactionId.slice(0, 64) || null,
    amount: formatYuan(line.amount),
    channel_state: line.status.slice(0, 30) || null,
    trade_time: line.at ? `${line.at}+08` : null,
  }))
  await tx.execute(sql`delete from channel_bill_line where owner_id = ${ownerId} and bill_id = ${bill.id}`)
  await tx.execute(sql`
    insert into channel_bill_line (
      owner_id, bill_id, check_date, channel, kind, order_no, refund_no, transaction_id, amount,
      channel_state, trade_time
    )
    select ${ownerId}::bigint, ${bill.id}::bigint, ${bill.day}::date, ${bill.channel}::smallint, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      kind smallint, order_no text, refund_no text, transaction_id text, amount numeric, channel_state text,
      trade_time timestamptz
    )
    returning id
  `)
}

export interface OpenDifference {
  readonly id: Id
  readonly diffType: number
  readonly orderId?: Id
  readonly refundId?: Id
  readonly transactionId?: string
  readonly channelAmount: string
  readonly tradeTime?: Moment
  readonly orderState?: number
  readonly refundState?: number
}

const recordDifferences = sqlFile(import.meta.dirname, 'record-differences.sql', [
  'bill',
  'channel',
  'day',
  'differences',
  'handled',
  'ownerId',
  'pending',
  'settled',
])

const settleDifferences = sqlFile(import.meta.dirname, 'settle-differences.sql', [
  'bill',
  'bookableTypes',
  'differing',
  'now',
  'openStates',
  'ownerId',
  'paidStates',
  'refundDiffers',
  'refundDone',
  'settled',
])

const billTotals = sqlFile(import.meta.dirname, 'bill-totals.sql', [
  'bill',
  'different',
  'localTrades',
  'now',
  'openStates',
  'ownerId',
  'pay',
  'refund',
  'same',
  'settled',
])

/** Marks each line of the bill with the kind of its difference. */
const markBillLines = (tx: Tx, ownerId: Id, bill: ChannelBillKey): Promise<unknown> =>
  tx.execute(sql`
    update channel_bill_line l
    set diff_type = d.diff_type
    from (
      select x.id, i.diff_type
      from channel_bill_line x
      left join reconcile_item i on i.owner_id = ${ownerId}
        and i.bill_id = x.bill_id
        and i.kind = x.kind
        and i.order_no = x.order_no
        and coalesce(i.refund_no, '') = coalesce(x.refund_no, '')
        and i.transaction_id is not distinct from x.transaction_id
        and i.state <> ${code(reconcileItemState, 'settled')}
      where x.owner_id = ${ownerId} and x.bill_id = ${bill.id}
    ) d
    where l.owner_id = ${ownerId} and l.id = d.id and l.diff_type is distinct from d.diff_type
  `)

/** The pending differences of a bill. */
const findPendingDifferences = (tx: Tx, ownerId: Id, bill: ChannelBillKey): Promise<OpenDifference[]> =>
  tx.rows<OpenDifference>(sql`
    select i.id, i.diff_type::int as diff_type, i.run_order_id as order_id, i.run_refund_id as refund_id,
      i.transaction_id, i.channel_amount::text as channel_amount, l.trade_time, o.state::int as order_state,
      f.state::int as refund_state
    from reconcile_item i
    left join channel_bill_line l on l.owner_id = ${ownerId}
      and l.bill_id = i.bill_id
      and l.kind = i.kind
      and l.order_no = i.order_no
      and coalesce(l.refund_no, '') = coalesce(i.refund_no, '')
      and l.transaction_id is not distinct from i.transaction_id
    left join pay_order o on o.owner_id = ${ownerId} and o.id = i.run_order_id
    left join fee_refund f on f.owner_id = ${ownerId} and f.id = i.run_refund_id
    where i.owner_id = ${ownerId} and i.bill_id = ${bill.id} and i.state = ${code(reconcileItemState, 'pending')}
    order by i.id
  `)

/**
 * Writes what differs now, settles what no longer does, and sums the day. Returns what is open. Comparing the
 * same again changes nothing.
 */
export async function compareBill(
  tx: Tx,
  ownerId: Id,
  bill: ChannelBillKey,
  now: Moment,
): Promise<readonly OpenDifference[]> {
  const recorded = await tx.rows<{ id: Id }>(
    recordDifferences({
      bill: bill.id,
      channel: bill.channel,
      day: bill.day,
      differences: differencesQuery(ownerId, bill),
      handled: code(reconcileItemState, 'handled'),
      ownerId,
      pending: code(reconcileItemState, 'pending'),
      settled: code(reconcileItemState, 'settled'),
    }),
  )
  const differingIds = recorded.map(row => row.id)
  await tx.execute(
    settleDifferences({
      bill: bill.id,
      bookableTypes: codes(diffType, 'onlyChannel', 'state'),
      differing: differingIds,
      now,
      openStates: codes(reconcileItemState, 'pending', 'escalated'),
      ownerId,
      paidStates: codes(orderState, 'paid', 'refunded'),
      refundDiffers: code(diffType, 'refund'),
      refundDone: code(refundState, 'done'),
      settled: code(reconcileItemState, 'settled'),
    }),
  )
  await markBillLines(tx, ownerId, bill)
  await tx.execute(
    billTotals({
      bill: bill.id,
      different: code(channelBillState, 'different'),
      localTrades: localTradesQuery(ownerId, bill),
      now,
      openStates: codes(reconcileItemState, 'pending', 'escalated'),
      ownerId,
      pay: code(tradeKind, 'pay'),
      refund: code(tradeKind, 'refund'),
      same: code(channelBillState, 'same'),
      settled: code(reconcileItemState, 'settled'),
    }),
  )
  return findPendingDifferences(tx, ownerId, bill)
}

/** Marks the differences that were not notified yet. Returns their count and the sum they differ by, fen. */
export async function claimUnnotified(
  tx: Tx,
  ownerId: Id,
  bill: ChannelBillKey,
): Promise<{ readonly count: number; readonly amount: Fen }> {
  const rows = await tx.rows<{ fen: number }>(
    sql`
      update reconcile_item
      set run_told = true
      where owner_id = ${ownerId}
        and bill_id = ${bill.id}
        and state = ${code(reconcileItemState, 'pending')}
        and not run_told
      returning (abs(local_amount - channel_amount) * 100)::bigint as fen
    `,
  )
  return { count: rows.length, amount: sumFen(rows.map(r => asFen(Number(r.fen)))) }
}
