-- BILL-11: who owes, one row per payer. `payer` holds what all the owed bills of a payer say (reminders,
-- promises, disputes), `owing` the bills that the filter finds.
with payer as (
  select t.project_code, coalesce(t.payer_kind, 0) as kind, coalesce(t.payer_id, 0) as id,
    :unnamed as unnamed, max(t.last_urge_time) as last_urge_time,
    max(t.urge_count) as urge_count, max(t.promise_date) as promise_date,
    bool_or(t.disputed) as disputed
  from bill t
  where :owedBill
  group by 1, 2, 3, 4
  having :payerCondition
),
owing as (
  select t.project_code, t.payer_kind, t.payer_id, :unnamed as unnamed,
    max(t.payer_name) as payer_name, max(t.payer_mobile) as payer_mobile,
    (array_agg(distinct t.source_name))[1:4] as source_names,
    count(distinct (t.source_type, t.source_code)) as sources,
    (array_agg(t.source_type order by t.due_date, t.id))[1] as first_type,
    (array_agg(t.source_code order by t.due_date, t.id))[1] as first_code,
    count(*) as bill_count, sum(t.unpaid) as unpaid,
    :notDue as not_due, :days30 as days30,
    :days60 as days60, :days90 as days90,
    :over90 as over90, min(t.due_date) as due_date,
    (array_agg(t.id order by t.due_date, t.id))[1:2000] as bill_ids
  from bill t
  where :foundBill
  group by t.project_code, t.payer_kind, t.payer_id, :unnamed
  having :ageCondition
),
debtor as (
  select owing.*, payer.last_urge_time, payer.urge_count, payer.promise_date, payer.disputed
  from owing
  join payer on payer.project_code = owing.project_code
    and payer.kind = coalesce(owing.payer_kind, 0)
    and payer.id = coalesce(owing.payer_id, 0)
    and payer.unnamed = owing.unnamed
)
select debtor.*, count(*) over () as total, sum(bill_count) over ()::bigint as total_bill_count,
  (sum(unpaid) over ())::text as total_unpaid, (sum(not_due) over ())::text as total_not_due,
  (sum(days30) over ())::text as total_days30, (sum(days60) over ())::text as total_days60,
  (sum(days90) over ())::text as total_days90, (sum(over90) over ())::text as total_over90
from debtor
order by :order, payer_name nulls last, project_code, payer_id, unnamed
limit :limit
offset :offset
