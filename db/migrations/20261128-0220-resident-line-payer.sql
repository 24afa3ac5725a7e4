-- The payer of a line is who pays for the room: the main owner, unless somebody else is named.
drop view resident_line;

create view resident_line with (security_invoker = true) as
  select p.*, r.build_code, b.name as build_name, r.unit_name, r.room_no, r.path as room_path, e.name as estate_name,
    l.relation, l.is_main,
    case when l.status = 20 then coalesce(r.payer_id = l.user_id, false) else l.is_payer end as is_payer,
    l.in_date, l.lease_begin, l.lease_end, l.status
  from resident p
  left join user_room l on l.owner_id = p.owner_id and l.user_id = p.id and l.delete_tag = 0 and l.status in (10, 20)
  left join room r on r.owner_id = l.owner_id and r.id = l.room_id
  left join building b on b.owner_id = r.owner_id and b.project_code = r.project_code and b.code = r.build_code and b.delete_tag = 0
  left join estate e on e.owner_id = p.owner_id and e.project_code = coalesce(l.project_code, p.home_project) and e.delete_tag = 0;
