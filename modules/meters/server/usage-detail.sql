-- Usage of each meter in the chosen months, beside that of as many months before.
select t.id as meter_id,
  t.meter_no,
  t.meter_kind,
  t.source_name,
  b.name as build_name,
  trim_scale(x.first)::text as last_num,
  trim_scale(x.last)::text as cur_num,
  x.times::int,
  trim_scale(x.usage)::text as usage,
  (
    select trim_scale(sum(r.usage))::text
    from meter_reading r
    where :liveReading and r.month between :previousFrom and :previousTo
  ) as before
from meter t
join lateral (
  select (array_agg(r.last_num order by r.read_date))[1] as first,
    (array_agg(r.cur_num order by r.read_date desc))[1] as last, count(*) as times,
    coalesce(sum(r.usage), 0) as usage
  from meter_reading r
  where :liveReading and r.month between :fromMonth and :toMonth
) x on x.times > 0
left join building b on b.owner_id = :ownerId
  and b.project_code = t.project_code
  and b.code = t.build_code
  and :liveBuilding
where :visibleMeter
  and :keyword
order by t.sort_key, t.meter_no, t.id
limit :limit offset :offset
