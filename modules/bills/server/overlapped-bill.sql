-- Another effective bill covers days of bill `t`, or is the bill of its relation for the same period.
((
  not t.run_free
  and exists (
    select 1
    from bill o
    where o.owner_id = :ownerId
      and o.run_place = t.run_place
      and :liveOther
      and o.state in :effectiveStates
      and not o.run_free
      and o.run_root <> t.run_root
      and daterange(o.begin_date, o.end_date, '[]') && daterange(t.begin_date, t.end_date, '[]')
  )
)
  or (
    t.relation_id is not null
    and t.parent_id is null
    and t.ref_id is null
    and exists (
      select 1
      from bill o
      where o.owner_id = :ownerId
        and o.relation_id = t.relation_id
        and o.begin_date = t.begin_date
        and o.state in :effectiveStates
        and :liveOther
        and o.parent_id is null
        and o.ref_id is null
    )
  ))
