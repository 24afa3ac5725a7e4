-- What a bill costs when half a million of them are written in one night.

-- As in reading, the wall is asked once a statement, not once a row.
alter policy own on bill with check (owner_id = (select app_owner()) or (select app_all()));
alter policy own on bill_month with check (owner_id = (select app_owner()) or (select app_all()));
alter policy own on bill_move with check (owner_id = (select app_owner()) or (select app_all()));
alter policy own on fee_relation with check (owner_id = (select app_owner()) or (select app_all()));

-- Nobody searches by the snapshot: its statistics took a third of each look at the table.
alter table bill alter column calc_snapshot set statistics 0;

-- The list as it opens, bills in force by due day, walks an index instead of sorting all of an estate; it serves those not in force too.
create index bill_due on bill (owner_id, project_code, state, due_date, id) where delete_tag = 0;
drop index bill_aside;
-- In the very order that the list of paid bills asks for: `desc` alone puts what is null first, and the index was never walked.
drop index bill_paid;
create index bill_paid on bill (owner_id, project_code, pay_time desc nulls last, id desc) where delete_tag = 0 and pay_state = 1;
-- What is owed over all estates, by due day: head office reads it from its first page to its last without sorting everything that is owed.
create index bill_owed_day on bill (owner_id, due_date, id) include (project_code) where delete_tag = 0 and state = 20 and pay_state = 0;
