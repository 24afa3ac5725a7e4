import type { Choices } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { code, codes, live } from '#kit/server/sql.ts'
import { orderState, orderType, refundState, refundWay } from '#modules/payments/contract/choices.ts'
import { diffType, tradeKind } from '../contract/choices.ts'

export interface ChannelBillKey {
  readonly id: number
  readonly day: Day
  readonly channel: number
}

const paidStates = codes(orderState, 'paid', 'refunded')
const pay = code(tradeKind, 'pay')
const refund = code(tradeKind, 'refund')

/** The label of a stored code, for people. */
const labelCase = (column: string, choices: Choices): RawBuilder<unknown> =>
  sql`case ${sql.ref(column)} ${sql.join(
    Object.values(choices.rows).map(([stored, label]) => sql`when ${sql.lit(stored)} then ${sql.lit(label)}`),
    sql` `,
  )} end`

const orderStateLabel = labelCase('o.state', orderState)
const refundStateLabel = labelCase('f.state', refundState)

/**
 * What we booked of a channel on a day. `nth` numbers trades of one order and kind: those that the bill knows
 * by their transaction come first; a second payment of an order goes under the number of the first.
 */
export const localTradesQuery = (owner: number, b: ChannelBillKey) => sql`
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
        p.transaction_id, p.order_id
    ) as nth
  from (
    select ${pay}::smallint as kind, coalesce(first.order_no, o.order_no) as order_no, '' as refund_no,
      o.transaction_id, coalesce(r.received_amount, o.amount) as amount, o.id as order_id,
      null::bigint as refund_id, o.order_obj as source_name, ${orderStateLabel} as word
    from pay_order o
    left join pay_order first on o.ref_type = 'double' and first.owner_id = ${owner} and first.id = o.ref_id
    left join pay_record r on r.owner_id = ${owner} and r.id = o.record_id
    where o.owner_id = ${owner}
      and o.channel = ${b.channel}
      and o.transaction_id is not null
      and o.state in ${paidStates}
      and o.order_type not in ${codes(orderType, 'sms', 'renewal')}
      and ${live('o')}
      and o.paid_time >= ${`${b.day} 00:00:00+08`}::timestamptz
      and o.paid_time < ${`${addDays(b.day, 1)} 00:00:00+08`}::timestamptz
    union all
    select ${refund}::smallint, o.order_no, f.refund_no, o.transaction_id, f.amount, o.id, f.id,
      f.source_name, ${refundStateLabel}
    from fee_refund f
    join pay_record r on r.owner_id = ${owner} and r.id = f.record_id
    join pay_order o on o.owner_id = ${owner} and o.id = r.pay_order_id
    where f.owner_id = ${owner}
      and f.state = ${code(refundState, 'done')}
      and f.refund_way = ${code(refundWay, 'original')}
      and ${live('f')}
      and o.channel = ${b.channel}
      and f.finish_time >= ${`${b.day} 00:00:00+08`}::timestamptz
      and f.finish_time < ${`${addDays(b.day, 1)} 00:00:00+08`}::timestamptz
  ) p
`

/**
 * CLO-5: the differences of a day. What only we have counts unless the bill of a day nearby has it (a payment
 * at midnight may be the other day's there). Of what only the channel has, our order or refund of another day
 * or state decides the kind of the difference.
 */
export const differencesQuery = (owner: number, b: ChannelBillKey) => sql`
  select j.kind, j.order_no, j.refund_no, j.nth, j.line_id,
    coalesce(j.their_id, j.our_id, o.transaction_id) as transaction_id,
    coalesce(j.source_name, o.order_obj, f.source_name) as source_name,
    coalesce(
      j.word, case j.kind when ${pay} then ${orderStateLabel} else ${refundStateLabel} end, '没有'
    ) as word,
    coalesce(
      j.our_amount,
      case j.kind
        when ${pay} then case
          when o.state in ${paidStates} then coalesce(r.received_amount, o.amount)
          else 0
        end
        else case when f.state = ${code(refundState, 'done')} then f.amount else 0
        end
        end,
      0
    ) as local_amount,
    coalesce(j.their_amount, 0) as channel_amount, coalesce(j.order_id, o.id) as order_id,
    coalesce(j.refund_id, f.id) as refund_id,
    case
      when j.kind = ${refund} then ${code(diffType, 'refund')}
      when j.line_id is null then ${code(diffType, 'onlyLocal')}
      when j.order_id is not null then ${code(diffType, 'amount')}
      when o.id is null then ${code(diffType, 'onlyChannel')}
      when o.state in ${paidStates}
        and o.transaction_id is distinct from j.their_id then ${code(diffType, 'onlyChannel')}
      when o.state in ${paidStates} or o.amount <> j.their_amount then ${code(diffType, 'amount')}
      else ${code(diffType, 'state')}
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
              and x.state in ${paidStates}
          ),
            transaction_id, id
        ) as nth,
        id as line_id, transaction_id, amount
      from channel_bill_line y
      where owner_id = ${owner} and bill_id = ${b.id}
    ) l using (kind, order_no, refund_no, nth)
    where u.amount is distinct from l.amount
  ) j
  left join pay_order o on j.order_id is null
    and j.kind = ${pay}
    and o.owner_id = ${owner}
    and o.order_no = j.order_no
    and o.channel = ${b.channel}
    and ${live('o')}
  left join pay_record r on r.owner_id = ${owner} and r.id = o.record_id
  left join fee_refund f on j.refund_id is null
    and j.kind = ${refund}
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
      and j.kind = ${pay}
      and o.id is not null
      and o.state in ${paidStates}
      and o.transaction_id is not distinct from j.their_id
      and coalesce(r.received_amount, o.amount) = j.their_amount
    )
    and not (
      j.order_id is null
      and j.kind = ${pay}
      and o.id is not null
      and exists (
        select 1
        from pay_order t
        where t.owner_id = ${owner}
          and t.channel = ${b.channel}
          and t.transaction_id = j.their_id
          and t.state in ${paidStates}
          and t.amount = j.their_amount
      )
    )
    and (
      j.refund_id is null
      and j.kind = ${refund}
      and f.state = ${code(refundState, 'done')}
      and f.amount = j.their_amount
    ) is not true
`
