-- Rows about devices are narrowed to the buildings of a data domain by it.

create index device_building on device (owner_id, project_code, build_code, id) where build_code is not null;
