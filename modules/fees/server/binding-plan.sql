-- What would become of every object with every standard, as a CTE `plan`. The relations of one item that overlap the
-- chosen days (FEE-7) are folded into one row `h`: how many, from when to when, how far billed.
plan as (
  select o.code, o.name, o.build_code, o.sort, s.id as standard_id, s.item, s.name as standard_name,
    s.multi, h.since, h.until, h.billed, h.standard as held_by,
    case
      when not o.open then 'closed'
      when not exists (
        select 1 from json_array_elements_text(s.scenes) x where x::int = o.scene
      ) then 'scene'
      when h.same then 'same'
      when h.n is null then 'bind' :occupied
      end as verdict
  from (:objects) o
  cross join :standards
  left join lateral (
    select count(*) as n, bool_or(r.standard_id = s.id) as same,
      min(coalesce(r.begin_date, :minDay::date)) as since,
      max(coalesce(r.end_date, :maxDay::date)) as until, max(r.billed_to) as billed,
      (array_agg(w.name order by r.id))[1] as standard
    from fee_relation r
    join fee_standard w on w.owner_id = :ownerId and w.id = r.standard_id
    where r.owner_id = :ownerId
      and r.project_code = :project
      and r.source_type = :sourceType
      and r.source_code = o.code
      and :liveRelation
      and r.fee_item_id = s.item
      and daterange(r.begin_date, r.end_date, '[]') && daterange(:begin, :end, '[]')
      and (not s.multi or r.standard_id = s.id)
    having count(*) > 0
  ) h on true
)
