-- The signed-in account with its company, its secret and the names of its roles.
select m.owner_id, m.id, m.login_code, m.real_name, m.mobile, m.email, m.head_image, m.manager_type, m.show_privacy,
  m.all_project, m.last_login_time, m.last_login_ip, m.wechat_open_id is not null as wechat_bound, p.company_name, p.idle_minutes,
  p.expire_date, s.must_change, s.totp is null and :requiresSecondFactor as must_bind,
  :requiresSecondFactor as totp_needed, coalesce(cardinality(s.recovery), 0) as recovery_left,
  s.password_time, s.totp is not null as totp_on,
  (
    select array_agg(r.role_name order by r.role_name)
    from role r
    where r.owner_id = :ownerId and :liveRole and r.id = any(m.role_ids::bigint[])
  ) as role_names
from manager m
join property p on p.owner_id = :ownerId and p.id = m.owner_id
join manager_secret s on s.owner_id = :ownerId and s.manager_id = m.id
where m.owner_id = :ownerId and m.id = :manager
