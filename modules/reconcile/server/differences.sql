-- CLO-5: the differences of a channel's day. What only we have counts unless the bill of a day nearby has it
-- (a payment at midnight may be the other day's there). Of what only the channel has, our order or refund of
-- another day or state decides the kind of the difference. `:localTrades` is local-trades.sql.
select j.kind, j.order_no, j.refund_no, j.nth, j.line_id,
  coalesce(j.their_id, j.our_id, o.transaction_id) as transaction_id,
  coalesce(j.source_name, o.order_obj, f.source_name) as source_name,
  coalesce(j.word, case j.kind when :pay then :orderStateLabel else :refundStateLabel end) as word,
  coalesce(
    j.our_amount,
    case j.kind
      when :pay then case
        when o.state in :paidStates then coalesce(r.tendered_amount, o.amount)
        else 0
      end
      else case when f.state = :refundDone then f.amount else 0
      end
      end,
    0
  ) as local_amount,
  coalesce(j.their_amount, 0) as channel_amount, coalesce(j.order_id, o.id) as order_id,
  coalesce(j.refund_id, f.id) as refund_id,
  case
    when j.kind = :refund then :refundDiffers
    when j.line_id is null then :onlyLocal
    when j.order_id is not null then :amountDiffers
    when o.id is null then :onlyChannel
    when o.state in :paidStates
      and o.transaction_id is distinct from j.their_id then :onlyChannel
    when o.state in :paidStates or o.amount <> j.their_amount then :amountDiffers
    else :stateDiffers
    end::smallint as diff_type
from (
  select kind, order_no, refund_no, nth, l.line_id, l.transaction_id as their_id,
    u.transaction_id as our_id, u.source_name, u.word, u.amount as our_amount, l.amount as their_amount,
    u.order_id, u.refund_id
  from (:localTrades) u
  full join (
    select y.kind, y.order_no, coalesce(y.refund_no, '') as refund_no,
      row_number() over (
        partition by y.kind, y.order_no, coalesce(y.refund_no, '')
        order by paid.transaction_id is null, y.transaction_id, y.id
      ) as nth,
      y.id as line_id, y.transaction_id, y.amount
    from channel_bill_line y
    left join (
      select distinct x.transaction_id
      from channel_bill_line z
      join pay_order x on x.owner_id = :ownerId
        and x.channel = :channel
        and x.transaction_id = z.transaction_id
        and x.state in :paidStates
      where z.owner_id = :ownerId and z.bill_id = :bill
    ) paid on paid.transaction_id = y.transaction_id
    where y.owner_id = :ownerId and y.bill_id = :bill
  ) l using (kind, order_no, refund_no, nth)
  where u.amount is distinct from l.amount
) j
left join pay_order o on j.order_id is null
  and j.kind = :pay
  and o.owner_id = :ownerId
  and o.order_no = j.order_no
  and o.channel = :channel
  and :liveOrder
left join pay_record r on r.owner_id = :ownerId and r.id = o.record_id
left join fee_refund f on j.refund_id is null
  and j.kind = :refund
  and f.owner_id = :ownerId
  and f.refund_no = j.refund_no
  and :liveRefund
where not (
  j.line_id is null
  and exists (
    select 1
    from channel_bill_line x
    where x.owner_id = :ownerId
      and x.order_no = j.order_no
      and x.channel = :channel
      and x.kind = j.kind
      and coalesce(x.refund_no, '') = j.refund_no
      and x.bill_id <> :bill
      and x.amount = j.our_amount
      and x.check_date between :twoDaysBefore::date and :twoDaysAfter::date
  )
)
  and not (
    j.order_id is null
    and j.kind = :pay
    and o.id is not null
    and o.state in :paidStates
    and o.transaction_id is not distinct from j.their_id
    and coalesce(r.tendered_amount, o.amount) = j.their_amount
  )
  and not (
    j.order_id is null
    and j.kind = :pay
    and o.id is not null
    and exists (
      select 1
      from pay_order t
      where t.owner_id = :ownerId
        and t.channel = :channel
        and t.transaction_id = j.their_id
        and t.state in :paidStates
        and t.amount = j.their_amount
    )
  )
  and (
    j.refund_id is null
    and j.kind = :refund
    and f.state = :refundDone
    and f.amount = j.their_amount
  ) is not true
