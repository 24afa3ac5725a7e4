-- Who called a lift by an invitation: the name as it was, and the code by which the record is found for them.

alter table elevator_call add column visitor_name text;
alter table elevator_call add column run_item_key text;
