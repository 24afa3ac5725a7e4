-- What records were for, laid over how they were paid, unsummed. A record is two rulers of one length: what it
-- was for (principal and late fee of each bill, then the rest) and how it was paid; a row is where a piece of
-- one lies over a piece of the other, so each fen is counted once and none is rounded.
-- :records selects (id). The rest has no detail_id.
with paid as (:records),
  way as materialized (
    select r.id, l.method, sign(l.amount) as side, abs(l.amount) as amount,
      sum(abs(l.amount)) over (partition by r.id order by l.seq) as up_to
    from paid r
    join pay_line l on l.owner_id = :ownerId and l.record_id = r.id
    where l.amount <> 0
  ),
  bill_part as (
    select r.id, d.id as detail_id, d.id * 2 + k.is_late_fee as place, k.is_late_fee = 1 as is_late_fee,
      d.fee_item_id, d.fee_item_name,
      abs(case k.is_late_fee when 0 then d.principal else d.late_fee end) as amount
    from paid r
    join pay_detail d on d.owner_id = :ownerId and d.record_id = r.id and :live_detail
    cross join (values (0), (1)) k(is_late_fee)
  ),
  rest as (
    select w.id, null::bigint as detail_id, 9223372036854775807 as place, false as is_late_fee,
      null::bigint as fee_item_id, null::text as fee_item_name, w.amount - coalesce(b.amount, 0) as amount
    from (select id, max(up_to) as amount from way group by id) w
    left join (select id, sum(amount) as amount from bill_part group by id) b on b.id = w.id
  ),
  part as materialized (
    select x.*, sum(x.amount) over (partition by x.id order by x.place) as up_to
    from (
      select * from bill_part where amount > 0
      union all
      select * from rest where amount > 0
    ) x
  )
select part.id as record_id, part.detail_id, part.is_late_fee, part.fee_item_id, part.fee_item_name, way.method,
  way.side,
  least(part.up_to, way.up_to) - greatest(part.up_to - part.amount, way.up_to - way.amount) as amount
from way
join part on part.id = way.id and part.up_to - part.amount < way.up_to and way.up_to - way.amount < part.up_to
