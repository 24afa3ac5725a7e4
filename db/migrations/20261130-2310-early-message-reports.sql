-- Delivery reports that came before the answer which says what they are about: of no company yet.
create table message_early_report (
  ref text not null,
  address text not null,
  is_delivered boolean not null,
  is_refused boolean not null,
  reason text,
  receive_time timestamptz not null,
  primary key (ref, address)
);
create index message_early_report_age on message_early_report (receive_time);
