-- Residents bind the WeChat by which the public account knows them (URG-2).

alter table resident add column run_wechat text, add column run_wechat_time timestamptz;
comment on column resident.run_wechat is 'the person as the company''s public account knows him';
comment on column resident.run_wechat_time is 'when he bound it: what he refused before counts no more';
create unique index resident_wechat on resident (owner_id, run_wechat) where run_wechat is not null and delete_tag = 0;
-- Nothing can be sent to who was only ticked as bound.
update resident set wechat_bind = false where wechat_bind;

-- A picture that a resident's phone reads; good for ten minutes.
create table resident_wechat_ticket (
  owner_id bigint not null,
  uuid text not null unique,
  resident_id bigint not null,
  state smallint not null,
  create_by bigint not null,
  create_time timestamptz not null,
  expire_time timestamptz not null,
  primary key (owner_id, uuid)
);
create index resident_wechat_ticket_age on resident_wechat_ticket (expire_time);
call guard('resident_wechat_ticket');
comment on table resident_wechat_ticket is 'invitations to bind a WeChat: state 10 waiting, 20 read, 30 bound, 40 refused';
