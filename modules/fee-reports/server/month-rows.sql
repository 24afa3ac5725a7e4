-- CLO-4: principal of one month by project, building and item, from bill_month and bill_move; a row for each
-- bill where :bill_id is the bill's, otherwise null. :condition is a condition on bills `b`.
-- What was paid by the first and by the last day of the month is what is paid now less what moved since; only
-- bills that moved since are spread again. Bills are taken as they are now: what was changed later is changed in
-- its own month, unless that month was carried over.
-- Uses bill_move_day, bill_month_report, bill_aside.
with moves as materialized (
  select v.bill_id, sum(v.principal) as since_start,
    coalesce(sum(v.principal) filter (where v.day > :last_day::date), 0) as after_end
  from bill_move v
  where v.owner_id = :ownerId and v.day >= :first_day::date
  group by 1
),
  -- Every figure is linear in what was paid at both ends of the month: all rows as they are now, then the few
  -- that moved since as differences to it. No join can multiply.
  parts as (
    select b.project_code, b.build_code, m.fee_item_id, m.month, :bill_id as bill_id, m.receivable as due,
      m.discount, m.paid as paid_at_start, m.paid as paid_at_end, m.paid as paid_now,
      null::date as written_off_day
    from bill_month m
    join bill b on b.id = m.bill_id
    where m.owner_id = :ownerId
      and b.owner_id = :ownerId
      and b.state <> :written_off
      and :live_bill
      and :condition
    union all
    select b.project_code, b.build_code, m.fee_item_id, m.month, :bill_id, m.receivable, m.discount, m.paid,
      m.paid, m.paid, :written_off_day
    from bill b
    join bill_month m on m.owner_id = :ownerId and m.bill_id = b.id
    where b.owner_id = :ownerId and b.state = :written_off and :live_bill and :condition
    union all
    select x.project_code, x.build_code, x.fee_item_id, x.month, x.bill_id, 0, 0, :share_at_start - x.paid,
      :share_at_end - x.paid, 0, x.written_off_day
    from (
      select b.project_code, b.build_code, m.fee_item_id, m.month, :bill_id as bill_id, m.paid,
        b.paid_principal as bill_paid, v.since_start, v.after_end, :written_off_day as written_off_day,
        sum(m.receivable) over up_to_month as due_up_to_month,
        sum(m.receivable) over up_to_month - m.receivable as due_before_month,
        sum(m.receivable) over (partition by m.bill_id) as bill_due
      from moves v
      join bill b on b.id = v.bill_id and b.owner_id = :ownerId and :live_bill and :condition
      join bill_month m on m.owner_id = :ownerId and m.bill_id = v.bill_id
      window up_to_month as (partition by m.bill_id order by m.month)
    ) x
  ),
  figures as (
    select r.project_code, r.build_code, r.fee_item_id, r.bill_id,
      coalesce(sum(r.due - r.paid_at_start) filter (where r.is_earlier and not r.is_off_at_start), 0) as opening,
      coalesce(sum(r.due + r.discount) filter (where r.is_current), 0) as billed,
      coalesce(sum(r.discount) filter (where r.is_current), 0) as discount,
      coalesce(sum(r.paid_at_start) filter (where r.is_current), 0) as paid_before,
      coalesce(sum(r.paid_at_end - r.paid_at_start) filter (where r.is_current), 0) as received,
      coalesce(
        sum(r.paid_at_end - r.paid_at_start) filter (where r.is_earlier and not r.is_off_at_start), 0
      ) as recovered,
      coalesce(
        sum(r.due - r.paid_at_end) filter (
          where r.is_off_at_end and (r.is_current or (r.is_earlier and not r.is_off_at_start))
        ),
        0
      ) as written_off,
      coalesce(
        sum(r.due - r.paid_at_end) filter (where not r.is_off_at_end and (r.is_earlier or r.is_current)), 0
      ) as closing,
      coalesce(sum(r.paid_at_end - r.paid_at_start) filter (where r.month > :month), 0) as prepaid,
      coalesce(sum(r.paid_now - r.paid_at_end) filter (where r.is_current), 0) as paid_after
    from (
      select p.*, p.month < :month as is_earlier, p.month = :month as is_current,
        coalesce(p.written_off_day < :first_day::date, false) as is_off_at_start,
        coalesce(p.written_off_day <= :last_day::date, false) as is_off_at_end
      from parts p
    ) r
    group by 1, 2, 3, 4
  ),
  previous as (
    select b.project_code, b.build_code, b.fee_item_id, b.closing
    from fee_month b
    where b.owner_id = :ownerId and b.month = :previous_month and b.kept and :live_bill and :condition
  ),
  -- After a month that was carried over, what it closed with is the opening; the difference is an adjustment.
  combined as (
    select f.project_code, f.build_code, f.fee_item_id, f.bill_id,
      case when p.is_carried_over then 0 else f.opening end as opening,
      case when p.is_carried_over then f.opening else 0 end as adjusted, f.billed, f.discount, f.paid_before,
      f.received, f.recovered, f.written_off, f.closing, f.prepaid, f.paid_after
    from figures f
    cross join lateral (
      select exists (select 1 from previous k where k.project_code = f.project_code) as is_carried_over
    ) p
    union all
    select k.project_code, k.build_code, k.fee_item_id, null, k.closing, -k.closing, 0, 0, 0, 0, 0, 0, 0, 0, 0
    from previous k
  )
select :ownerId::bigint as owner_id, u.project_code, :month::text as month, u.build_code, u.fee_item_id,
  sum(u.opening) as opening, sum(u.adjusted) as adjusted, sum(u.billed) as billed, sum(u.discount) as discount,
  sum(u.paid_before) as paid_before, sum(u.received) as received, sum(u.recovered) as recovered,
  sum(u.written_off) as written_off, sum(u.closing) as closing, sum(u.prepaid) as prepaid,
  sum(u.paid_after) as paid_after, u.bill_id
from combined u
group by u.project_code, u.build_code, u.fee_item_id, u.bill_id
