-- Events whose time cannot be believed keep what the device said; those of a device that the gateway does not have, its number.

alter table device_event add column is_time_doubtful boolean not null default false;
alter table device_event add column device_time text;
alter table device_event add column reported_device text;
