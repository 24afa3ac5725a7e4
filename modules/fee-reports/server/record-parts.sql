-- Records of days as rows of the day summary, unsummed (CLO-1). A record is two rulers of one length: what it
-- was for (principal and late fee of each bill, then the rest) and how it was paid; a row is where a piece of
-- one lies over a piece of the other, so each fen is counted once and none is rounded.
-- :days is a set (project_code, day, is_kept); of a day that is kept only history is selected.
-- Uses pay_record_report, deposit_entry_record.
with days as (:days),
  record as (
    select r.owner_id, r.id, r.project_code, r.pay_day, r.build_code, r.cashier_id, r.cashier_name,
      r.record_type, r.to_prestore, r.is_history
    from days d
    join pay_record r on r.owner_id = :owner
      and r.project_code = d.project_code
      and r.pay_day = d.day
      and r.state <> :voided
      and :live_record
      and (r.is_history or not d.is_kept)
  ),
  way as materialized (
    select r.id, l.method, sign(l.amount) as side, abs(l.amount) as amount,
      sum(abs(l.amount)) over (partition by r.id order by l.seq) as up_to
    from record r
    join pay_line l on l.owner_id = :owner and l.record_id = r.id
    where l.amount <> 0
  ),
  bill_part as (
    select r.id, d.id * 2 + k.is_late_fee as place,
      case
        when r.record_type = :deposit then :kind_deposit
        when k.is_late_fee = 0 then :kind_fee
        else :kind_late
        end as kind, d.fee_item_id, d.fee_item_name,
      abs(case k.is_late_fee when 0 then d.principal else d.late_fee end) as amount
    from record r
    join pay_detail d on d.owner_id = :owner and d.record_id = r.id and :live_detail
    cross join (values (0), (1)) k(is_late_fee)
  ),
  rest as (
    select r.id, 9223372036854775807 as place,
      case
        when r.to_prestore <> 0 or r.record_type = :prestore then :kind_prestore
        when r.record_type = :deposit then :kind_deposit
        else :kind_other
        end as kind,
      held.fee_item_id, held.fee_item_name, w.amount - coalesce(b.amount, 0) as amount
    from record r
    join (select id, max(up_to) as amount from way group by id) w on w.id = r.id
    left join (select id, sum(amount) as amount from bill_part group by id) b on b.id = r.id
    -- A deposit goes out under the item under which it came in.
    left join lateral (
      select d.fee_item_id, d.fee_item_name
      from deposit_entry e
      join deposit d on d.owner_id = :owner and d.id = e.deposit_id
      where e.owner_id = :owner and e.record_id = r.id
      order by e.id
      limit 1
    ) held on r.record_type = :deposit
  ),
  part as materialized (
    select x.*, sum(x.amount) over (partition by x.id order by x.place) as up_to
    from (
      select * from bill_part where amount > 0
      union all
      select * from rest where amount > 0
    ) x
  )
select r.owner_id, r.project_code, r.pay_day as day, r.build_code, r.cashier_id, r.cashier_name,
  part.kind::smallint as kind, part.fee_item_id, part.fee_item_name, way.method, r.is_history as history,
  way.side,
  least(part.up_to, way.up_to) - greatest(part.up_to - part.amount, way.up_to - way.amount) as amount
from record r
join way on way.id = r.id
join part on part.id = r.id and part.up_to - part.amount < way.up_to and way.up_to - way.amount < part.up_to
