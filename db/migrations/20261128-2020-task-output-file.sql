-- The whole of an output that is too long to be shown: a file of the company, by its key (RMT-2).
alter table remote_task_output add column file_key text;
alter table remote_task_output add column file_size bigint;
alter table remote_task_output add column file_sha256 text;
