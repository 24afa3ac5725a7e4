-- Each figure counts a person once, however many homes. Needs user_room_status.
with living as (
  select distinct l.user_id
  from user_room l
  where l.owner_id = :ownerId and :homes and l.status = :living and l.in_date is not null
),
  p as (
    select r.id, r.wechat_bind, r.app_bind, r.mobile
    from resident r
    where r.owner_id = :ownerId and r.delete_tag = 0 and r.id in (select user_id from living)
  )
select count(*)::int as people, (count(*) filter (where wechat_bind))::int as wechat,
  (count(*) filter (where app_bind))::int as app,
  (count(*) filter (where mobile is not null))::int as with_mobile,
  (
    count(*) filter (
      where exists (
        select 1
        from face_key f
        where f.owner_id = :ownerId and f.user_id = p.id and f.delete_tag = 0 and f.state = :validFace
      )
    )
  )::int as with_face,
  (
    count(*) filter (
      where exists (
        select 1
        from user_blocklist b
        where b.owner_id = :ownerId
          and b.user_id = p.id
          and b.delete_tag = 0
          and (b.expire_date is null or b.expire_date >= :today)
          and :inProject
      )
    )
  )::int as blocked
from p
