-- A trapped person whom a controller reports that is bound to no lift: the alarm is the device's (ELV-1).

alter table elevator_alarm alter column elevator_id drop not null;
alter table elevator_alarm add column device_id bigint;
alter table elevator_alarm
add constraint elevator_alarm_place check (elevator_id is not null or device_id is not null) not valid;
-- A device has one open alarm, as a lift has: what comes again counts there.
create unique index elevator_alarm_device_open on elevator_alarm (owner_id, device_id)
where state in (10, 20) and delete_tag = 0 and elevator_id is null;
create index elevator_alarm_device on elevator_alarm (owner_id, device_id) where device_id is not null;
