-- Columns of a meter `t` in its month. `p`: the newest valid reading before it; `r`: the reading of the month;
-- `b`: where registers go on from, as far back as a book looks (month-grid-joins.sql).
t.id as meter_id,
  t.meter_no,
  t.meter_kind,
  t.state as meter_state,
  t.source_name,
  t.build_code,
  t.location,
  trim_scale(t.multiple)::text as multiple,
  t.digits,
  t.decimals,
  t.is_smart,
  trim_scale(coalesce(r.last_num, p.cur_num, t.init_num))::text as before,
  coalesce(r.last_date, p.read_date, c.since, t.install_date) as before_day,
  coalesce(p.is_estimate, false) as after_estimate,
  trim_scale(case when p.id is null then coalesce(c.old_usage, 0) else 0 end)::text as carried,
  array(
    select trim_scale(x.usage)::text
    from meter_reading x
    where x.owner_id = :ownerId
      and x.meter_id = t.id
      and :validReading
      and x.usage is not null
      and x.read_date < coalesce(r.read_date, :nextMonthStart)
    order by x.read_date desc
    limit 3
  ) as recent,
  (
    select trim_scale(x.usage)::text
    from meter_reading x
    where x.owner_id = :ownerId
      and x.meter_id = t.id
      and :validReading
      and x.month = :yearAgo
      and x.read_date >= :yearAgoStart
    order by x.read_date
    limit 1
  ) as last_year,
  r.id as reading_id,
  r.version,
  trim_scale(r.cur_num)::text as cur_num,
  r.read_date,
  r.is_rollover,
  r.is_estimate,
  r.is_base,
  trim_scale(r.loss)::text as loss,
  trim_scale(r.usage)::text as usage,
  r.source,
  r.photo,
  r.confirmed,
  r.bill_no,
  r.remark,
  r.state,
  r.anomalies,
  coalesce(r.registers, b.registers) as registers,
  coalesce(p.registers is not null, false) as registers_go_on,
  u.reason as unread,
  u.remark as unread_remark
