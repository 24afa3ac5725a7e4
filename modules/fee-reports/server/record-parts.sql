-- Records of days as rows of the day summary, unsummed (CLO-1).
-- :days is a set (project_code, day, is_kept); of a day that is kept only history is selected. :parts are the
-- paid parts of `record`. Uses pay_record_report, deposit_entry_record.
with days as (:days),
  record as materialized (
    select r.owner_id, r.id, r.project_code, r.pay_day, r.build_code, r.cashier_id, r.cashier_name,
      r.record_type, r.to_prestore, r.is_history
    from days d
    join pay_record r on r.owner_id = :ownerId
      and r.project_code = d.project_code
      and r.pay_day = d.day
      and r.state <> :voided
      and :live_record
      and (r.is_history or not d.is_kept)
  )
select r.owner_id, r.project_code, r.pay_day as day, r.build_code, r.cashier_id, r.cashier_name,
  case
    when p.detail_id is null and (r.to_prestore <> 0 or r.record_type = :prestore) then :kind_prestore
    when r.record_type = :deposit then :kind_deposit
    when p.detail_id is null then :kind_other
    when p.is_late_fee then :kind_late
    else :kind_fee
    end::smallint as kind,
  coalesce(p.fee_item_id, held.fee_item_id) as fee_item_id,
  coalesce(p.fee_item_name, held.fee_item_name) as fee_item_name,
  p.method, r.is_history as history, p.side, p.amount
from record r
join (:parts) p on p.record_id = r.id
-- A deposit goes out under the item under which it came in.
left join lateral (
  select d.fee_item_id, d.fee_item_name
  from deposit_entry e
  join deposit d on d.owner_id = :ownerId and d.id = e.deposit_id
  where e.owner_id = :ownerId and e.record_id = r.id
  order by e.id
  limit 1
) held on p.detail_id is null and r.record_type = :deposit
