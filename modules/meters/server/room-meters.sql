-- The meters of a room, each with its last reading and how many are unbilled (BASE-11, BASE-17).
select t.meter_no,
  t.meter_kind,
  trim_scale(x.cur_num)::text as cur_num,
  x.read_date,
  (
    select count(*)
    from meter_reading r
    where r.owner_id = :ownerId
      and r.meter_id = t.id
      and :liveReading
      and r.state = :open
      and r.usage > 0
  )::int as open
from meter t
left join lateral (
  select r.cur_num, r.read_date
  from meter_reading r
  where r.owner_id = :ownerId and r.meter_id = t.id and :validReading
  order by r.read_date desc
  limit 1
) x on true
where t.owner_id = :ownerId
  and t.project_code = :project
  and t.source_type = :room
  and t.source_code = :roomCode
  and :liveMeter
  and :inUse
order by t.meter_kind, t.meter_no
limit 20
