-- Accounts of a company with all that they may do: roles together, data domain, modules closed to the company.
select m.id, m.state, m.real_name, m.manager_type, m.all_project, m.show_privacy, s.must_change,
  coalesce(r.need_totp, false) and s.totp is null as must_bind,
  least(p.idle_minutes, 480) as idle_minutes, p.closed_modules, r.everything, r.permissions, d.places,
  o.real_name as granter, c.closed_menus
from manager m
join property p on p.owner_id = :ownerId
  and p.id = m.owner_id
  and :liveCompany
  and p.state <> :stopped
join manager_secret s on s.owner_id = :ownerId and s.manager_id = m.id
left join lateral (
  select bool_or(r.everything) as everything, bool_or(r.need_totp) as need_totp,
    array_agg(distinct k.key) filter (where k.key is not null) as permissions
  from role r
  left join lateral unnest(r.permissions) as k(key) on true
  where r.owner_id = :ownerId and :liveRole and r.id = any(m.role_ids::bigint[])
) r on true
left join lateral (
  select jsonb_agg(jsonb_build_object('project', d.project_code, 'buildings', d.build_codes)) as places
  from manager_data_domain d
  where d.owner_id = :ownerId and d.manager_id = m.id
) d on true
left join lateral (
  select jsonb_agg(jsonb_build_object('menu', c.menu_code, 'project', c.project_code)) as closed_menus
  from project_menu c
  where c.owner_id = :ownerId
) c on true
left join manager o on o.owner_id = :ownerId
  and o.manager_type = :ownerType
  and :liveOwner
where m.owner_id = :ownerId and m.id = any(:managers::bigint[]) and :liveManager
