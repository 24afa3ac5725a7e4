-- Only an address that its owner has proved by a code.
alter table manager add column email text;

alter table notification_setting add column mailed text[] not null default '{}';
comment on column notification_setting.mailed is 'kinds of message that are sent by e-mail too';

-- `run_mail`: when the next attempt to send it by e-mail is due; empty where none is.
alter table notification
  add column mail_state smallint,
  add column mail_time timestamptz,
  add column mail_error text,
  add column run_mail timestamptz,
  add column run_mail_attempts smallint not null default 0;
create index notification_mail on notification (run_mail) where run_mail is not null;
