alter table task_center add column run_trace text;
comment on column task_center.run_trace is 'W3C traceparent of the request that began the task';
-- what waits and runs: monitoring counts it, and stalled tasks are looked for, without reading what has ended
create index task_center_open on task_center (state, create_time) where state in (10, 20) and delete_tag = 0;
