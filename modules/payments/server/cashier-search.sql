-- Sources that a keyword may mean, with what each owes: a room together with its parking places, as it opens.
-- The rooms are ranked before they are cut: thousands of telephones hold `15`.
with hit as materialized (:hits),
  best as materialized (select distinct on (id) * from hit order by id, level, reason),
  found as materialized (
    select *
    from (:bestRooms) t
    order by level, turn, sort_key
    limit :maxCandidates
  ),
  others as (:otherSources),
  once as (select distinct on (type, code) * from others order by type, code, note nulls last),
  all_found as (
    select :room::int as type, code, path as name, building, note, sort_key, reason,
      text as found_text, mobile as found_mobile
    from found
    union all
    select type, code, name, building, note, sort_key, reason, found_text, null
    from once
  ),
  billed as (
    select type, code, type as source_type, code as source_code
    from all_found
    union all
    select f.type, f.code, :place::int, k.code
    from all_found f
    join park_place k on k.owner_id = :ownerId
      and k.project_code = :project
      and k.room_code = f.code
      and :livePlace
    where f.type = :room
  ),
  owed as (
    select s.type, s.code, count(*) as count, sum(b.unpaid) as unpaid
    from billed s
    join bill b on :isOwed and b.source_type = s.source_type and b.source_code = s.source_code
    group by s.type, s.code
  )
select f.*, coalesce(b.count, 0)::int as count, coalesce(b.unpaid, 0)::text as unpaid
from all_found f
left join owed b on b.type = f.type and b.code = f.code
