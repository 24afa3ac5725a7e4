-- What we booked of a channel on a day: payments, and refunds that went back the way they came. `nth` numbers
-- the trades of one order and kind: those that the bill knows by their transaction come first; a second
-- payment of an order goes under the number of the first. What companies buy of the
-- platform is left out.
select p.*,
  row_number() over (
    partition by p.kind, p.order_no, p.refund_no
    order by listed.order_no is null, p.transaction_id, p.order_id
  ) as nth
from (
  select :pay::smallint as kind, coalesce(first.order_no, o.order_no) as order_no, '' as refund_no,
    o.transaction_id, coalesce(r.tendered_amount, o.amount) as amount, o.id as order_id,
    null::bigint as refund_id, o.order_obj as source_name, :orderStateLabel as word
  from pay_order o
  left join pay_order first on o.ref_type = 'double' and first.owner_id = :ownerId and first.id = o.ref_id
  left join pay_record r on r.owner_id = :ownerId and r.id = o.record_id
  where o.owner_id = :ownerId
    and o.channel = :channel
    and o.transaction_id is not null
    and o.state in :paidStates
    and o.order_type not in :platformOrderTypes
    and :liveOrder
    and o.paid_time >= :dayBegin::timestamptz
    and o.paid_time < :dayEnd::timestamptz
  union all
  select :refund::smallint, o.order_no, f.refund_no, o.transaction_id, f.amount, o.id, f.id,
    f.source_name, :refundStateLabel
  from fee_refund f
  join pay_record r on r.owner_id = :ownerId and r.id = f.record_id
  join pay_order o on o.owner_id = :ownerId and o.id = r.pay_order_id
  where f.owner_id = :ownerId
    and f.state = :refundDone
    and f.refund_way = :originalWay
    and :liveRefund
    and o.channel = :channel
    and f.finish_time >= :dayBegin::timestamptz
    and f.finish_time < :dayEnd::timestamptz
) p
left join (
  select distinct x.order_no, x.transaction_id
  from channel_bill_line x
  where x.owner_id = :ownerId and x.bill_id = :bill
) listed on listed.order_no = p.order_no and listed.transaction_id = p.transaction_id
