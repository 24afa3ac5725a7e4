-- Leave that somebody decided by hand names its kind: the sum of the kinds is the total (ATT-13).
alter table attendance_day add column manual_leave_type smallint;
