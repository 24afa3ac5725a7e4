-- Pairs of residents who may be one person (BASE-13): the same name, and the same room, birthday or telephone.
-- Each similarity is joined by itself: pairs of a name alone would be the square of its bearers.
with p as materialized (
  select t.id, t.name, t.mobile, t.phone2, t.birthday
  from resident t
  where t.owner_id = :ownerId and :conditions
),
  pairs as (
    select a.id as a, b.id as b, 'room' as similarity
    from user_room x
    join user_room y on y.owner_id = :ownerId
      and y.room_id = x.room_id
      and y.user_id > x.user_id
      and y.delete_tag = 0
    join p a on a.id = x.user_id
    join p b on b.id = y.user_id and b.name = a.name
    where x.owner_id = :ownerId and x.delete_tag = 0
    union all
    select a.id, b.id, 'birthday'
    from p a
    join p b on b.birthday = a.birthday and b.name = a.name and b.id > a.id
    union all
    select least(a.id, b.id), greatest(a.id, b.id), 'phone'
    from p a
    join p b on b.phone2 = a.mobile and b.name = a.name and b.id <> a.id
    union all
    select a.id, b.id, 'phone'
    from p a
    join p b on b.phone2 = a.phone2 and b.name = a.name and b.id > a.id
  )
select a, b, bool_or(similarity = 'birthday') as birthday, bool_or(similarity = 'phone') as phone,
  bool_or(similarity = 'room') as room
from pairs
group by a, b
order by a, b
limit 200
