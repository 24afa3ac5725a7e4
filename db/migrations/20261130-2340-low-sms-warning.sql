-- A balance of short messages that fell below its value has been reported, until it is above it again.
alter table sms_account add column run_warned boolean not null default false;
