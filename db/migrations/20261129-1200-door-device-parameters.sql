-- What a device of a door is set to: whose credentials it takes, which of its doors, how loud, how sure.
alter table doorway_device
  add column open_roles text[],
  add column antenna_no integer,
  add column volume integer,
  add column threshold integer;
