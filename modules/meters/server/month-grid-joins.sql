-- The readings that belong to a meter `t` in a month, as month-grid-columns.sql reads them.
left join lateral (
  select *
  from meter_reading x
  where x.owner_id = :ownerId
    and x.meter_id = t.id
    and x.month = :month
    and :validReading
    and x.read_date >= :previousMonthStart
  order by x.read_date desc
  limit 1
) r on true
left join lateral (
  select x.id, x.cur_num, x.read_date, x.is_estimate, x.registers
  from meter_reading x
  where x.owner_id = :ownerId
    and x.meter_id = t.id
    and :validReading
    and x.read_date < coalesce(r.read_date, :afterNextMonthStart)
    and (r.id is not null or x.month < :month)
  order by x.read_date desc
  limit 1
) p on true
left join lateral (
  select (
    select jsonb_agg(
      jsonb_build_object('name', e.v ->> 'name', 'last', e.v ->> 'current', 'price', e.v ->> 'price')
      order by e.n
    )
    from jsonb_array_elements(y.registers) with ordinality e(v, n)
  ) as registers
  from (
    select x.registers, x.read_date
    from meter_reading x
    where x.owner_id = :ownerId
      and x.meter_id = t.id
      and :validReading
      and x.read_date <= p.read_date
    order by x.read_date desc
    limit 3
  ) y
  where y.registers is not null
  order by y.read_date desc
  limit 1
) b on true
left join meter_replace c on c.owner_id = :ownerId and c.new_meter_id = t.id and :liveReplacement
left join meter_unread u on u.owner_id = :ownerId and u.meter_id = t.id and u.month = :month
