-- Whether the site has tried to carry a task out: what was not sent, was cancelled or is not allowed there says nothing
-- of a device's health.
alter table remote_task add column run_was_tried boolean not null default true;
