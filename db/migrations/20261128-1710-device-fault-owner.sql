-- DEV-1, DEV-2: a fault belongs to its device, behind whichever gateway the device hangs. Those that were opened
-- once for each gateway become one; what was left over from moves is put right.
set local app.owner_id = '*';
update device_fault t
set count = s.count, level = s.level, open_time = s.open_time
from (
  select owner_id, max(id) as id, sum(count)::integer as count, min(level) as level, min(open_time) as open_time
  from device_fault
  where state = 10 and device_id <> 0
  group by owner_id, device_id, kind, coalesce(fault_code, '')
  having count(*) > 1
) s
where t.owner_id = s.owner_id and t.id = s.id;
update device_fault t
set state = 30, close_time = coalesce(t.last_time, t.open_time), note = '已并入该设备的同一故障'
from device_fault k
where t.state = 10
  and t.device_id <> 0
  and k.state = 10
  and k.owner_id = t.owner_id
  and k.device_id = t.device_id
  and k.kind = t.kind
  and coalesce(k.fault_code, '') = coalesce(t.fault_code, '')
  and k.id > t.id;
-- Nobody hears a device whose gateway is silent.
update device d
set is_online = false
from gateway g
where d.is_online and not g.is_online and g.owner_id = d.owner_id and g.id = d.gateway_id;
update device_fault t
set gateway_id = d.gateway_id
from device d
where t.state = 10
  and d.owner_id = t.owner_id
  and d.id = t.device_id
  and d.gateway_id <> t.gateway_id;
-- It is there, or not in use.
update device_fault t
set state = 20, close_time = coalesce(d.last_beat, t.last_time, t.open_time)
from device d
where t.state = 10
  and t.kind = 10
  and d.owner_id = t.owner_id
  and d.id = t.device_id
  and (d.is_online or d.state in (40, 50));
update device_fault t
set state = 30, close_time = coalesce(t.last_time, t.open_time), note = '已删除'
from device d
where t.state = 10 and d.owner_id = t.owner_id and d.id = t.device_id and d.delete_tag <> 0;
update device_fault t
set state = 30, close_time = coalesce(t.last_time, t.open_time), note = '已删除'
from gateway g
where t.state = 10 and t.device_id = 0 and g.owner_id = t.owner_id and g.id = t.gateway_id and g.delete_tag <> 0;
update device d
set health_score = greatest(0, 100 - s.weight)
from (
  select d.owner_id, d.id,
    coalesce(sum(case f.level when 1 then 50 when 2 then 25 when 3 then 10 when 4 then 4 end), 0)::integer as weight
  from device d
  left join device_fault f on f.owner_id = d.owner_id and f.device_id = d.id and f.state = 10
  group by d.owner_id, d.id
) s
where s.owner_id = d.owner_id and s.id = d.id and d.health_score <> greatest(0, 100 - s.weight);
drop index device_fault_open;
create unique index device_fault_open on device_fault (
  owner_id, device_id, (case when device_id = 0 then gateway_id else 0 end), kind, coalesce(fault_code, '')
)
where state = 10;
