-- Per room: its main owner, its payer (the main owner unless somebody else is named, BASE-9), and how many
-- people live in it. Needs user_room_room.
select w.id as room_id, m.user_id as main_owner_id, mp.name as main_owner_name,
  coalesce(y.user_id, m.user_id) as payer_id, coalesce(yp.name, mp.name) as payer_name,
  coalesce(y.relation, m.relation) as payer_relation, coalesce(o.people, 0)::int as people,
  coalesce(o.non_tenants, 0)::int as non_tenants
from unnest(:roomIds::bigint[]) as w(id)
left join user_room m on m.owner_id = :ownerId
  and m.room_id = w.id
  and m.delete_tag = 0
  and m.status = :living
  and m.is_main
left join resident mp on mp.owner_id = :ownerId and mp.id = m.user_id
left join user_room y on y.owner_id = :ownerId
  and y.room_id = w.id
  and y.delete_tag = 0
  and y.status = :living
  and y.is_payer
left join resident yp on yp.owner_id = :ownerId and yp.id = y.user_id
left join (
  select room_id, count(*) as people, count(*) filter (where relation not in :tenantRelations) as non_tenants
  from user_room
  where owner_id = :ownerId
    and room_id = any(:roomIds)
    and delete_tag = 0
    and status = :living
    and in_date is not null
  group by room_id
) o on o.room_id = w.id
