-- Of bills: what was paid, what other refunds that abolish them too still ask for, and what such refunds have given
-- back since the refund in question was asked for, by the clock that writes rows.
select b.id as bill_id, b.paid_principal::text as paid_principal, b.late_fee_paid::text as paid_late,
  o.open_principal, o.open_late, o.done_principal, o.done_late
from bill b
cross join lateral (
  select coalesce(sum(l.principal) filter (where l.is_open), 0)::bigint as open_principal,
    coalesce(sum(l.late) filter (where l.is_open), 0)::bigint as open_late,
    coalesce(sum(l.principal) filter (where not l.is_open), 0)::bigint as done_principal,
    coalesce(sum(l.late) filter (where not l.is_open), 0)::bigint as done_late
  from (
    select f.state in :openStates as is_open,
      (line->>'principal')::bigint as principal, (line->>'late')::bigint as late
    from pay_detail d
    join fee_refund f on f.owner_id = :ownerId and f.record_id = d.record_id and f.id <> :refund
    join fee_refund own on own.owner_id = :ownerId and own.id = :refund
    left join pay_record n on n.owner_id = :ownerId and n.id = f.neg_record_id
    cross join lateral jsonb_array_elements(f.lines) line
    where d.owner_id = :ownerId
      and d.bill_id = b.id
      and (line->>'detailId')::bigint = d.id
      and f.bill_after = :abolished
      and :liveRefund
      and (
        f.state in :openStates
        or f.state = :done and n.create_time >= own.create_time
      )
  ) l
) o
where b.owner_id = :ownerId and b.id = any(:bills::bigint[])
