-- The accounts of top-ups, each with what was topped up, less refunds and what is invoiced.
select a.owner_name as name,
  (
    coalesce(
      sum(e.amount) filter (
        where e.entry_type in :toppedUp and not e.gift
      ),
      0
    ) - (
      select coalesce(sum(p.amount - p.red_amount), 0)
      from invoice_part p
      join invoice_record i on i.owner_id = :ownerId and i.id = p.invoice_id
      where p.owner_id = :ownerId
        and p.detail_id is null
        and not i.is_red
        and i.state not in :cancelled
        and p.record_id = any(array_agg(e.record_id))
    )
  )::text as remaining,
  array_agg(distinct e.record_id) filter (where e.record_id = any(:records::int[])) as records
from prestore_account a
join prestore_entry e on e.owner_id = :ownerId and e.account_id = a.id
where a.owner_id = :ownerId
  and a.id in (
    select account_id
    from prestore_entry
    where owner_id = :ownerId and record_id = any(:records::int[]) and amount > 0 and not gift
  )
group by a.id, a.owner_name
