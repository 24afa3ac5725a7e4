-- How many times in a row a watchdog has restarted what it watches, without a beat since.
alter table watchdog add column run_attempts integer not null default 0;
