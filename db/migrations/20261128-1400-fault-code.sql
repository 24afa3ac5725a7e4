-- DEV-2: two different faults of one device stay two. A fault is the same one by its kind and the code, or else the
-- title, that the driver gives; of drivers, by the driver's name.
set local app.owner_id = '*';
alter table device_fault add column fault_code text, add column last_time timestamptz;
drop index device_fault_open;
update device_fault
set fault_code = case kind when 20 then title else substring(title from '「(.*?)」') end
where state = 10 and kind in (20, 80);
create unique index device_fault_open on device_fault (owner_id, gateway_id, device_id, kind, coalesce(fault_code, ''))
where state = 10;
