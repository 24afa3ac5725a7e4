-- Which file of the cloud files a task sends: what has become of a file is asked by it.
alter table remote_task add column run_file_id bigint;
create index remote_task_file on remote_task (owner_id, run_file_id, id desc) where delete_tag = 0 and run_file_id is not null;
