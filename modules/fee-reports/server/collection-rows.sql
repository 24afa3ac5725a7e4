-- Households with a due bill of the month and those of them with none unpaid (STAT-7), and unpaid bills by age;
-- by project and building. :condition is a condition on bills `b`; :age is the age of such a bill.
with by_household as (
  select project_code, build_code, count(*)::int as households,
    count(*) filter (where unpaid_bills = 0)::int as clear
  from (
    select b.project_code, b.build_code, count(*) filter (where b.pay_state = :unpaid) as unpaid_bills
    from bill b
    join fee_item i on i.owner_id = :ownerId and i.id = b.fee_item_id and i.in_rate
    where b.owner_id = :ownerId
      and b.belong_month = :month
      and b.state = :normal
      and :live_bill
      and b.due_date <= :due_by::date
      and :condition
    group by b.project_code, b.build_code, b.source_type, b.source_code
  ) s
  group by 1, 2
),
  by_age as (
    select project_code, build_code, :counts as counts, :sums as sums
    from (
      select b.project_code, b.build_code, b.unpaid_principal, :age as age
      from bill b
      where b.owner_id = :ownerId
        and :live_bill
        and b.state = :normal
        and b.pay_state = :unpaid
        and :condition
    ) s
    group by 1, 2
  )
select :ownerId::bigint as owner_id, coalesce(h.project_code, a.project_code) as project_code,
  :month::text as month, coalesce(h.build_code, a.build_code) as build_code,
  coalesce(h.households, 0) as households, coalesce(h.clear, 0) as clear,
  coalesce(a.counts, :no_counts) as age_counts, coalesce(a.sums, :no_sums) as age_sums
from by_household h
full join by_age a on a.project_code = h.project_code
  and coalesce(a.build_code, '') = coalesce(h.build_code, '')
