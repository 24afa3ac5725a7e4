-- no transaction
-- What was missed lately and waits for another person, and what a person has to do.

create index concurrently work_task_missed on work_task (owner_id, kind, task_date) where delete_tag = 0 and state in (40, 50);
create index concurrently work_task_own on work_task (owner_id, staff_id, close_time) where delete_tag = 0 and state in (10, 20);
