-- ACC-3: takes out of each account what its gift balance holds beyond the gifts since `:since`: gifts are spent
-- oldest first, so that has expired. A gift that came with a move counts from the day of the move. Uses prestore_account_gift.
with expiring as materialized (
  select id, gift_balance
  from prestore_account
  where owner_id = :ownerId and project_code = :project and gift_balance > 0 and :live
  order by id
  for update
),
  due as (
    select h.id, h.gift_balance,
      h.gift_balance - coalesce(
        (
          select sum(e.amount)
          from prestore_entry e
          where e.owner_id = :ownerId
            and e.account_id = h.id
            and e.gift
            and e.entry_type in (:gift, :movedIn)
            and e.entry_time > :since::timestamptz
        ),
        0
      ) as expired
    from expiring h
  ),
  moved as (
    update prestore_account a
    set gift_balance = a.gift_balance - due.expired, version = a.version + 1,
      update_time = :now::timestamptz
    from due
    where a.owner_id = :ownerId and a.id = due.id and due.expired > 0
    returning a.id, a.project_code, due.expired, due.gift_balance as before
  )
insert into prestore_entry (
  owner_id, create_by, update_by, project_code, account_id, entry_type, amount, gift, balance_before,
  balance_after, entry_time, operator_name, remark
)
select :ownerId::bigint, :operator::bigint, :operator::bigint,
  m.project_code, m.id, :giftExpired, -m.expired, true, m.before, m.before - m.expired,
  :at, :operatorName, :remark
from moved m
returning id
