-- What the platform reports of a mass message, batch by batch, after it has taken it.
create table wechat_mass_batch (
  owner_id bigint not null,
  mass_id bigint not null,
  batch_no integer not null,
  account_id bigint not null,
  message_id text not null,
  receiver_count integer not null,
  arrived_count integer,
  status text,
  report_time timestamptz,
  primary key (owner_id, mass_id, batch_no),
  foreign key (owner_id, mass_id) references wechat_mass (owner_id, id)
);
create unique index wechat_mass_batch_message on wechat_mass_batch (owner_id, account_id, message_id);
call guard('wechat_mass_batch');

-- Reports that came before the answer with their number.
create table wechat_job_report (
  owner_id bigint not null,
  account_id bigint not null,
  message_id text not null,
  status text not null,
  arrived_count integer not null,
  receive_time timestamptz not null,
  primary key (owner_id, account_id, message_id)
);
create index wechat_job_report_due on wechat_job_report (receive_time);
call guard('wechat_job_report');

alter table wechat_mass add column reported_count integer not null default 0;
