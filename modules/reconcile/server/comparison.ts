import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import type { ChannelLine } from '#modules/payments/server/public.ts'
import { channel } from '#modules/payments/contract/choices.ts'

export type Channel = ChoiceOf<typeof channel>
export const codeOfChannel = (c: Channel): number => Number(codeOf(channel, c))

export interface ChannelBillKey {
  readonly id: number
  readonly day: Day
  readonly channel: number
}

/** One at a time for a company, channel and day: two runs at once do the same thing one after the other. */
export const lockChannelBill = (tx: Tx, owner: number, c: number, day: Day): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`reconcile/${c}/${day}`}, ${owner}))`)

/** The day's row, made when there is none yet. */
export async function ensureChannelBill(
  tx: Tx,
  owner: number,
  c: number,
  day: Day,
): Promise<ChannelBillKey & { readonly state: number }> {
  await tx.execute(
    sql`
      insert into channel_bill (owner_id, check_date, channel, source, state)
      values (${owner}, ${day}, ${c}, 10, 10)
      on conflict do nothing
    `,
  )
  return {
    ...(await tx.one<{ id: number; state: number }>(
      sql`
        select id, state::int as state
        from channel_bill
        where owner_id = ${owner} and channel = ${c} and check_date = ${day}
      `,
    ))!,
    day,
    channel: c,
  }
}

/** The bill's lines in the place of those that were there. */
export async function replaceBillLines(
  tx: Tx,
  owner: number,
  b: ChannelBillKey,
  lines: readonly ChannelLine[],
): Promise<void> {
  const rows = lines.map(l => ({
    kind: l.kind === 'pay' ? 10 : 20,
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
  `)
}

const orderStateLabel = sql`case o.state
  when 10 then '待支付'
  when 60 then '支付中'
  when 20 then '已支付'
  when 30 then '已关闭'
  when 40 then '支付失败'
  when 50 then '已退款'
  end`

const refundStateLabel = sql`case f.state
  when 10 then '待审核'
  when 20 then '处理中'
  when 30 then '已退款'
  when 40 then '已驳回'
  when 50 then '已取消'
  when 60 then '退款失败'
  end`

/**
 * What we booked of a channel on a day, as the channel would number it: what both know by its transaction
 * comes first; a second payment of an order is the channel's under the first one's number.
 */
const localTradesQuery = (owner: number, b: ChannelBillKey) => sql`
  select p.*,
    row_number() over (
      partition by p.kind, p.order_no, p.refund_no
      order by not exists (
        select 1
        from channel_bill_line x
        where x.owner_id = ${owner}
          and x.order_no = p.order_no
          and x.bill_id = ${b.id}
          and x.transaction_id = p.transaction_id
      ),
        p.transaction_id,
        p.order_id
    ) as nth
  from (
    select 10::smallint as kind, coalesce(first.order_no, o.order_no) as order_no, '' as refund_no,
      o.transaction_id, coalesce(r.received_amount, o.amount) as amount, o.id as order_id,
      null::bigint as refund_id, o.order_obj as source_name, ${orderStateLabel} as word
    from pay_order o
    left join pay_order first on o.ref_type = 'double'
      and first.owner_id = o.owner_id
      and first.id = o.ref_id
    left join pay_record r on r.owner_id = o.owner_id and r.id = o.record_id
    where o.owner_id = ${owner}
      and o.channel = ${b.channel}
      and o.transaction_id is not null
      and o.state in (20, 50)
      and o.order_type not in (1, 2)
      and ${live('o')}
      and o.paid_time >= ${`${b.day} 00:00:00+08`}::timestamptz
      and o.paid_time < ${`${addDays(b.day, 1)} 00:00:00+08`}::timestamptz
    union all
    select 20::smallint, o.order_no, f.refund_no, o.transaction_id, f.amount, o.id, f.id, f.source_name,
      ${refundStateLabel}
    from fee_refund f
    join pay_record r on r.owner_id = f.owner_id and r.id = f.record_id
    join pay_order o on o.owner_id = r.owner_id and o.id = r.pay_order_id
    where f.owner_id = ${owner}
      and f.state = 30
      and f.refund_way = 10
      and ${live('f')}
      and o.channel = ${b.channel}
      and f.finish_time >= ${`${b.day} 00:00:00+08`}::timestamptz
      and f.finish_time < ${`${addDays(b.day, 1)} 00:00:00+08`}::timestamptz
  ) p
`

/**
 * CLO-5: the whole day at once. Only what we have: no line of a neighbouring day says it either (a payment at
 * midnight is the other day's there). Only what they have: our order or refund of another day or another
 * state decides what kind it is.
 */
const differencesQuery = (owner: number, b: ChannelBillKey) => sql`
  select j.kind, j.order_no, j.refund_no, j.nth, j.line_id,
    coalesce(j.their_id, j.our_id, o.transaction_id) as transaction_id,
    coalesce(j.source_name, o.order_obj, f.source_name) as source_name,
    coalesce(j.word, case j.kind when 10 then ${orderStateLabel} else ${refundStateLabel} end, '没有') as word,
    coalesce(
      j.our_amount,
      case j.kind
        when 10 then case when o.state in (20, 50) then coalesce(r.received_amount, o.amount) else 0
        end
        else case when f.state = 30 then f.amount else 0
        end
        end,
      0
    ) as local_amount,
    coalesce(j.their_amount, 0) as channel_amount, coalesce(j.order_id, o.id) as order_id,
    coalesce(j.refund_id, f.id) as refund_id,
    case
      when j.kind = 20 then 50
      when j.line_id is null then 10
      when j.order_id is not null then 30
      when o.id is null then 20
      when o.state in (20, 50) and o.transaction_id is distinct from j.their_id then 20
      when o.state in (20, 50) or o.amount <> j.their_amount then 30
      else 40
      end::smallint as diff_type
  from (
    select kind, order_no, refund_no, nth, l.line_id, l.transaction_id as their_id,
      u.transaction_id as our_id, u.source_name, u.word, u.amount as our_amount, l.amount as their_amount,
      u.order_id, u.refund_id
    from (${localTradesQuery(owner, b)}) u
    full join (
      select kind, order_no, coalesce(refund_no, '') as refund_no,
        row_number() over (
          partition by kind, order_no, coalesce(refund_no, '')
          order by not exists (
            select 1
            from pay_order x
            where x.owner_id = ${owner}
              and x.channel = ${b.channel}
              and x.transaction_id = y.transaction_id
              and x.state in (20, 50)
          ),
            transaction_id,
            id
        ) as nth,
        id as line_id, transaction_id, amount
      from channel_bill_line y
      where owner_id = ${owner} and bill_id = ${b.id}
    ) l using (kind, order_no, refund_no, nth)
    where u.amount is distinct from l.amount
  ) j
  left join pay_order o on j.order_id is null
    and j.kind = 10
    and o.owner_id = ${owner}
    and o.order_no = j.order_no
    and o.channel = ${b.channel}
    and ${live('o')}
  left join pay_record r on r.owner_id = o.owner_id and r.id = o.record_id
  left join fee_refund f on j.refund_id is null
    and j.kind = 20
    and f.owner_id = ${owner}
    and f.refund_no = j.refund_no
    and ${live('f')}
  where not (
    j.line_id is null
    and exists (
      select 1
      from channel_bill_line x
      where x.owner_id = ${owner}
        and x.order_no = j.order_no
        and x.channel = ${b.channel}
        and x.kind = j.kind
        and coalesce(x.refund_no, '') = j.refund_no
        and x.bill_id <> ${b.id}
        and x.amount = j.our_amount
        and x.check_date between ${addDays(b.day, -2)}::date and ${addDays(b.day, 2)}::date
    )
  )
    and not (
      j.order_id is null
      and j.kind = 10
      and o.id is not null
      and o.state in (20, 50)
      and o.transaction_id is not distinct from j.their_id
      and coalesce(r.received_amount, o.amount) = j.their_amount
    )
    and not (
      j.order_id is null
      and j.kind = 10
      and o.id is not null
      and exists (
        select 1
        from pay_order t
        where t.owner_id = ${owner}
          and t.channel = ${b.channel}
          and t.transaction_id = j.their_id
          and t.state in (20, 50)
          and t.amount = j.their_amount
      )
    )
    and (j.refund_id is null and j.kind = 20 and f.state = 30 and f.amount = j.their_amount) is not true
`

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
 * Writes what differs now, what differed and no longer does, and the day's figures; answers what is open. The
 * same again changes nothing.
 */
export async function compareBill(
  tx: Tx,
  owner: number,
  b: ChannelBillKey,
  now: Moment,
): Promise<readonly OpenDifference[]> {
  const live = (
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
        d.channel_amount, d.diff_type, 10, d.order_id, d.refund_id
      from (${differencesQuery(owner, b)}) d
      on conflict (
        owner_id, bill_id, kind, order_no, coalesce(refund_no, ''), run_nth
      ) do update set transaction_id = excluded.transaction_id,
        source_name = excluded.source_name, local_state = excluded.local_state,
        run_order_id = excluded.run_order_id, run_refund_id = excluded.run_refund_id,
        state = case
          when i.state = 20
            or (
              i.state = 30
              and (i.local_amount, i.channel_amount, i.diff_type) is distinct from (
                excluded.local_amount, excluded.channel_amount, excluded.diff_type
              )
            ) then 10
          else i.state
          end,
        run_told = i.run_told and i.state <> 20,
        version = i.version + (
          (i.local_amount, i.channel_amount, i.diff_type) is distinct from (
            excluded.local_amount, excluded.channel_amount, excluded.diff_type
          )
          or i.state = 20
        )::int,
        local_amount = excluded.local_amount, channel_amount = excluded.channel_amount,
        diff_type = excluded.diff_type
      returning i.id
    `)
  ).map(r => r.id)
  await tx.execute(sql`
    update reconcile_item i
    set state = 20,
      handle_time = ${now}::timestamptz,
      handle_note = case
        when i.diff_type in (20, 40)
          and exists (
            select 1
            from pay_order o
            where o.owner_id = i.owner_id
              and o.channel = i.channel
              and o.transaction_id = i.transaction_id
              and o.state in (20, 50)
          ) then '渠道已收到款，订单已按渠道账单入账'
        when i.diff_type = 50
          and exists (
            select 1
            from fee_refund f
            where f.owner_id = i.owner_id and f.id = i.run_refund_id and f.state = 30
          ) then '渠道已退款，退款单已完成'
        else '再次核对时已一致'
        end,
      version = version + 1,
      update_time = now()
    where owner_id = ${owner}
      and bill_id = ${b.id}
      and state in (10, 40)
      and not (id = any(${live}::bigint[]))
  `)
  await tx.execute(sql`
    update channel_bill_line l
    set diff_type = d.diff_type
    from (
      select x.id, i.diff_type
      from channel_bill_line x
      left join reconcile_item i on i.owner_id = x.owner_id
        and i.bill_id = x.bill_id
        and i.kind = x.kind
        and i.order_no = x.order_no
        and coalesce(i.refund_no, '') = coalesce(x.refund_no, '')
        and i.transaction_id is not distinct from x.transaction_id
        and i.state <> 20
      where x.owner_id = ${owner} and x.bill_id = ${b.id}
    ) d
    where l.owner_id = ${owner} and l.id = d.id and l.diff_type is distinct from d.diff_type
  `)
  await tx.execute(sql`
    update channel_bill b
    set (local_count, local_amount, local_refund) = (
      select count(*), coalesce(sum(amount) filter (where kind = 10), 0),
        coalesce(sum(amount) filter (where kind = 20), 0)
      from (${localTradesQuery(owner, b)}) u
    ),
      (channel_count, channel_amount, channel_refund) = (
        select count(*), coalesce(sum(amount) filter (where kind = 10), 0),
          coalesce(sum(amount) filter (where kind = 20), 0)
        from channel_bill_line l
        where l.owner_id = ${owner} and l.bill_id = ${b.id}
      ),
      (diff_count, open_count, state) = (
        select count(*) filter (where state <> 20), count(*) filter (where state in (10, 40)),
          case when count(*) filter (where state in (10, 40)) > 0 then 30 else 20 end
        from reconcile_item i
        where i.owner_id = ${owner} and i.bill_id = ${b.id}
      ),
      fail_reason = null,
      update_time = now()
    where owner_id = ${owner} and id = ${b.id}
  `)
  return tx.rows<OpenDifference>(sql`
    select i.id, i.diff_type::int as diff_type, i.run_order_id as order_id, i.run_refund_id as refund_id,
      i.transaction_id, i.channel_amount::text as channel_amount, l.trade_time, o.state::int as order_state,
      f.state::int as refund_state
    from reconcile_item i
    left join channel_bill_line l on l.owner_id = i.owner_id
      and l.bill_id = i.bill_id
      and l.kind = i.kind
      and l.order_no = i.order_no
      and coalesce(l.refund_no, '') = coalesce(i.refund_no, '')
      and l.transaction_id is not distinct from i.transaction_id
    left join pay_order o on o.owner_id = i.owner_id and o.id = i.run_order_id
    left join fee_refund f on f.owner_id = i.owner_id and f.id = i.run_refund_id
    where i.owner_id = ${owner} and i.bill_id = ${b.id} and i.state = 10
    order by i.id
  `)
}

/** Differences nobody has been told of yet, marked as told: their number, and the money they are about. */
export async function claimUnnotified(
  tx: Tx,
  owner: number,
  b: ChannelBillKey,
): Promise<{ readonly count: number; readonly amount: Fen }> {
  const rows = await tx.rows<{ fen: number }>(
    sql`
      update reconcile_item
      set run_told = true
      where owner_id = ${owner} and bill_id = ${b.id} and state = 10 and not run_told
      returning (abs(local_amount - channel_amount) * 100)::bigint as fen
    `,
  )
  return { count: rows.length, amount: sumFen(rows.map(r => Number(r.fen))) }
}
