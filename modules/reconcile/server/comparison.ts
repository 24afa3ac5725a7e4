import { defined } from '#kit/domain/defined.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
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
export const lockChannelBill = (tx: Tx, owner: number, c: number, day: Day): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`reconcile/${c}/${day}`}, ${owner}))`)

/** The row of the day, inserted when there is none yet. */
export async function ensureChannelBill(
  tx: Tx,
  owner: number,
  c: number,
  day: Day,
): Promise<ChannelBillKey & { readonly state: number }> {
  await tx.execute(
    sql`
      insert into channel_bill (owner_id, check_date, channel, source, state)
      values (
        ${owner}, ${day}, ${c}, ${code(channelBillSource, 'pulled')}, ${code(channelBillState, 'waiting')}
      )
      on conflict do nothing
    `,
  )
  return {
    ...defined(
      await tx.one<{ id: number; state: number }>(
        sql`
        select id, state::int as state
        from channel_bill
        where owner_id = ${owner} and channel = ${c} and check_date = ${day}
      `,
      ),
    ),
    day,
    channel: c,
  }
}

/** Replaces the lines of a bill. */
export async function replaceBillLines(
  tx: Tx,
  owner: number,
  b: ChannelBillKey,
  lines: readonly ChannelLine[],
): Promise<void> {
  const rows = lines.map(l => ({
    kind: codeOf(tradeKind, l.kind),
    order_no: l.orderNo.slice(0, 64),
    refund_no: l.refundNo.slice(0, 64) || null,
    transaction_id: l.transactionId.slice(0, 64) || null,
    amount: formatYuan(l.amount),
    channel_state: l.status.slice(0, 30) || null,
    trade_time: l.at ? `${l.at}+08` : null,
  }))
  await tx.execute(sql`delete from channel_bill_line where owner_id = ${owner} and bill_id = ${b.id}`)
  await tx.execute(sql`
    insert into channel_bill_line (
      owner_id, bill_id, check_date, channel, kind, order_no, refund_no, transaction_id, amount,
      channel_state, trade_time
    )
    select ${owner}::bigint, ${b.id}::bigint, ${b.day}::date, ${b.channel}::smallint, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      kind smallint, order_no text, refund_no text, transaction_id text, amount numeric, channel_state text,
      trade_time timestamptz
    )
    returning id
  `)
}

export interface OpenDifference {
  readonly id: number
  readonly diffType: number
  readonly orderId?: number
  readonly refundId?: number
  readonly transactionId?: string
  readonly channelAmount: string
  readonly tradeTime?: Moment
  readonly orderState?: number
  readonly refundState?: number
}

/**
 * Writes what differs now, settles what no longer does, and sums the day; answers what is open. Comparing the
 * same again changes nothing.
 */
export async function compareBill(
  tx: Tx,
  owner: number,
  b: ChannelBillKey,
  now: Moment,
): Promise<readonly OpenDifference[]> {
  const differing = (
    await tx.rows<{
      id: number
    }>(sql`
      insert into reconcile_item as i (
        owner_id, bill_id, check_date, channel, kind, order_no, refund_no, run_nth, transaction_id,
        source_name, local_state, local_amount, channel_amount, diff_type, state, run_order_id,
        run_refund_id
      )
      select ${owner}::bigint, ${b.id}::bigint, ${b.day}::date, ${b.channel}::smallint, d.kind, d.order_no,
        nullif(d.refund_no, ''), d.nth, d.transaction_id, left(d.source_name, 100), d.word, d.local_amount,
        d.channel_amount, d.diff_type, ${code(reconcileItemState, 'pending')}, d.order_id, d.refund_id
      from (${differencesQuery(owner, b)}) d
      on conflict (
        owner_id, bill_id, kind, order_no, coalesce(refund_no, ''), run_nth
      ) do update set transaction_id = excluded.transaction_id,
        source_name = excluded.source_name, local_state = excluded.local_state,
        run_order_id = excluded.run_order_id, run_refund_id = excluded.run_refund_id,
        state = case
          when i.state = ${code(reconcileItemState, 'settled')}
            or (
              i.state = ${code(reconcileItemState, 'handled')}
              and (i.local_amount, i.channel_amount, i.diff_type) is distinct from (
                excluded.local_amount, excluded.channel_amount, excluded.diff_type
              )
            ) then ${code(reconcileItemState, 'pending')}
          else i.state
          end,
        run_told = i.run_told and i.state <> ${code(reconcileItemState, 'settled')},
        version = i.version + (
          (i.local_amount, i.channel_amount, i.diff_type) is distinct from (
            excluded.local_amount, excluded.channel_amount, excluded.diff_type
          )
          or i.state = ${code(reconcileItemState, 'settled')}
        )::int,
        local_amount = excluded.local_amount, channel_amount = excluded.channel_amount,
        diff_type = excluded.diff_type
      returning i.id
    `)
  ).map(r => r.id)
  await tx.execute(sql`
    update reconcile_item i
    set state = ${code(reconcileItemState, 'settled')},
      handle_time = ${now}::timestamptz,
      handle_note = case
        when i.diff_type in ${codes(diffType, 'onlyChannel', 'state')}
          and exists (
            select 1
            from pay_order o
            where o.owner_id = ${owner}
              and o.channel = i.channel
              and o.transaction_id = i.transaction_id
              and o.state in ${codes(orderState, 'paid', 'refunded')}
          ) then '渠道已收到款，订单已按渠道账单入账'
        when i.diff_type = ${code(diffType, 'refund')}
          and exists (
            select 1
            from fee_refund f
            where f.owner_id = ${owner} and f.id = i.run_refund_id and f.state = ${code(refundState, 'done')}
          ) then '渠道已退款，退款单已完成'
        else '再次核对时已一致'
        end,
      version = version + 1,
      update_time = ${now}::timestamptz
    where owner_id = ${owner}
      and bill_id = ${b.id}
      and state in ${codes(reconcileItemState, 'pending', 'escalated')}
      and not (id = any(${differing}::bigint[]))
  `)
  await tx.execute(sql`
    update channel_bill_line l
    set diff_type = d.diff_type
    from (
      select x.id, i.diff_type
      from channel_bill_line x
      left join reconcile_item i on i.owner_id = ${owner}
        and i.bill_id = x.bill_id
        and i.kind = x.kind
        and i.order_no = x.order_no
        and coalesce(i.refund_no, '') = coalesce(x.refund_no, '')
        and i.transaction_id is not distinct from x.transaction_id
        and i.state <> ${code(reconcileItemState, 'settled')}
      where x.owner_id = ${owner} and x.bill_id = ${b.id}
    ) d
    where l.owner_id = ${owner} and l.id = d.id and l.diff_type is distinct from d.diff_type
  `)
  await tx.execute(sql`
    update channel_bill b
    set (local_count, local_amount, local_refund) = (
      select count(*), coalesce(sum(amount) filter (where kind = ${code(tradeKind, 'pay')}), 0),
        coalesce(sum(amount) filter (where kind = ${code(tradeKind, 'refund')}), 0)
      from (${localTradesQuery(owner, b)}) u
    ),
      (channel_count, channel_amount, channel_refund) = (
        select count(*), coalesce(sum(amount) filter (where kind = ${code(tradeKind, 'pay')}), 0),
          coalesce(sum(amount) filter (where kind = ${code(tradeKind, 'refund')}), 0)
        from channel_bill_line l
        where l.owner_id = ${owner} and l.bill_id = ${b.id}
      ),
      (diff_count, open_count, state) = (
        select count(*) filter (where state <> ${code(reconcileItemState, 'settled')}),
          count(*) filter (where state in ${codes(reconcileItemState, 'pending', 'escalated')}),
          case
            when count(*) filter (
              where state in ${codes(reconcileItemState, 'pending', 'escalated')}
            ) > 0 then ${code(channelBillState, 'different')}
            else ${code(channelBillState, 'same')}
            end
        from reconcile_item i
        where i.owner_id = ${owner} and i.bill_id = ${b.id}
      ),
      fail_reason = null, update_time = ${now}::timestamptz
    where owner_id = ${owner} and id = ${b.id}
  `)
  return tx.rows<OpenDifference>(sql`
    select i.id, i.diff_type::int as diff_type, i.run_order_id as order_id, i.run_refund_id as refund_id,
      i.transaction_id, i.channel_amount::text as channel_amount, l.trade_time, o.state::int as order_state,
      f.state::int as refund_state
    from reconcile_item i
    left join channel_bill_line l on l.owner_id = ${owner}
      and l.bill_id = i.bill_id
      and l.kind = i.kind
      and l.order_no = i.order_no
      and coalesce(l.refund_no, '') = coalesce(i.refund_no, '')
      and l.transaction_id is not distinct from i.transaction_id
    left join pay_order o on o.owner_id = ${owner} and o.id = i.run_order_id
    left join fee_refund f on f.owner_id = ${owner} and f.id = i.run_refund_id
    where i.owner_id = ${owner} and i.bill_id = ${b.id} and i.state = ${code(reconcileItemState, 'pending')}
    order by i.id
  `)
}

/** Marks the differences that were not notified yet; answers their count and the sum they differ by, fen. */
export async function claimUnnotified(
  tx: Tx,
  owner: number,
  b: ChannelBillKey,
): Promise<{ readonly count: number; readonly amount: Fen }> {
  const rows = await tx.rows<{ fen: number }>(
    sql`
      update reconcile_item
      set run_told = true
      where owner_id = ${owner}
        and bill_id = ${b.id}
        and state = ${code(reconcileItemState, 'pending')}
        and not run_told
      returning (abs(local_amount - channel_amount) * 100)::bigint as fen
    `,
  )
  return { count: rows.length, amount: sumFen(rows.map(r => Number(r.fen))) }
}
