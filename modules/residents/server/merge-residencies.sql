-- Of residencies that several of the merged people have in one room one stays, first of all that of the person
-- who is kept; the others are deleted.
with ranked as (
  select id,
    row_number() over (
      partition by room_id
      order by (user_id = :keptId) desc, (status = :living) desc, id
    ) as rank
  from user_room
  where owner_id = :ownerId
    and delete_tag = 0
    and status in :current
    and (user_id = :keptId or user_id = any(:mergedIds::bigint[]))
)
update user_room u
set delete_tag = 1, is_main = false, is_payer = false, update_time = :time::timestamptz
from ranked r
where u.owner_id = :ownerId and u.id = r.id and r.rank > 1
