-- Roles that ask for a second factor, and a WeChat that stands for one account of a company.

alter table role add column need_totp boolean not null default false;
comment on column role.need_totp is 'whoever holds the role must bind a second factor before he can work';
create unique index manager_wechat_live on manager (owner_id, wechat_open_id) where delete_tag = 0 and wechat_open_id is not null;
create index session_token_device on session_token (owner_id, operator_id, agent);
