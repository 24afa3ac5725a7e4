-- What the generation of bills needs beside fees and bills themselves.

-- Who paid for a room before and after a change, by number: a bill of a past day goes to who had to pay then (PRO-7).
alter table room_change_log
  add column old_ref bigint,
  add column new_ref bigint;

-- A run walks the relations of an estate in the order of their ids.
create index fee_relation_project on fee_relation (owner_id, project_code, id) where delete_tag = 0;

-- A run moves BilledTo of every relation on a page in one transaction: with half a page to spare these are changes inside the page that no index hears of,
-- four times as fast. The next run finds the room again.
alter table fee_relation set (fillfactor = 50);

-- The last number given out of a sort on a day (G-14). Numbers of a failed transaction are not given again.
create table bill_counter (
  owner_id bigint not null,
  prefix text not null,
  day date not null,
  last integer not null,
  primary key (owner_id, prefix, day)
);
call guard('bill_counter');
