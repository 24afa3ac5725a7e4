-- The shape that a distributed engine can spread by company: policies without sub-selects, keys led by owner_id, no triggers,
-- and a directory of what is unique over the whole installation.

-- Migrations run behind the policies too.
set local app.owner_id = '*';

-- What is looked up before a company is known, and what no two companies may share. No policy: it holds no company's data,
-- only where to look. Kept in the transaction that writes what it points to.
create table directory (
  kind text not null,
  key text not null,
  owner_id bigint not null,
  ref_id bigint not null,
  primary key (kind, key)
);
create index directory_owner on directory (owner_id, kind, ref_id);
comment on table directory is 'company: its number; login: sign-in name in lower case; session: digest of a token (hex); app_key; resident_wechat: uuid of an invitation';

insert into directory (kind, key, owner_id, ref_id)
  select 'company', id::text, owner_id, id from property
  union all select 'login', lower(login_code), owner_id, id from manager where delete_tag = 0
  union all select 'session', encode(hash, 'hex'), owner_id, id from session_token
  union all select 'app_key', app_key, owner_id, id from property where app_key is not null and delete_tag = 0
  union all select 'resident_wechat', uuid, owner_id, resident_id from resident_wechat_ticket;

drop index session_token_hash;
drop index manager_login_live;
create unique index manager_login_live on manager (owner_id, lower(login_code)) where delete_tag = 0;
drop index property_app_key;
alter table resident_wechat_ticket drop constraint resident_wechat_ticket_uuid_key;

-- A bill's root is its own number unless a split gave it another; a generated column needs no trigger.
alter table bill drop constraint bill_overlap;
drop trigger bill_root on bill;
drop function bill_root();
alter table bill add column run_split_root bigint;
update bill set run_split_root = run_root where run_root <> id;
alter table bill drop column run_root;
alter table bill add column run_root bigint not null generated always as (coalesce(run_split_root, id)) stored;
comment on column bill.run_split_root is 'the bill a split began with; empty for a bill that is no half';
comment on column bill.run_root is 'halves of one bill share it and may stand side by side';
alter table bill add constraint bill_overlap exclude using gist (owner_id with =, run_place with =, daterange(begin_date, end_date, '[]') with &&, run_root with <>) where (state in (10, 20, 50) and delete_tag = 0 and not run_free);

alter table fee_relation drop constraint fee_relation_once;
alter table fee_relation add constraint fee_relation_once exclude using gist (owner_id with =, run_place with =, daterange(begin_date, end_date, '[]') with &&) where (delete_tag = 0 and not multi);
drop trigger relation_floor on fee_relation;
drop function relation_floor();

-- A row is visible inside its company's setting only; '*' is the installation's own work. An unset setting is '' after a
-- transaction and gives null: no rows. Both bounds are conditions of every index that owner_id leads, so they cost nothing per
-- row there; `current_setting(…) in (owner_id::text, '*')` costs 0.19 µs a row and makes the planner expect a hundredth of the rows.
create function company_policy(verb text, name regclass) returns void language plpgsql as $$
declare
  setting constant text := $q$current_setting('app.owner_id', true)$q$;
  bound constant text := $q$case current_setting('app.owner_id', true) when '*' then %s else nullif(current_setting('app.owner_id', true), '')::bigint end$q$;
begin
  execute format('%s policy own on %s using (owner_id >= %s and owner_id <= %s) with check (%s in (owner_id::text, ''*''))',
    verb, name, format(bound, 0), format(bound, 9223372036854775807), setting);
end $$;

create or replace procedure guard(name regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  perform company_policy('create', name);
end $$;

create or replace procedure shelf(name regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy shelf on %s for select using (true)', name);
  execute format('create policy stock on %s using (current_setting(''app.owner_id'', true) = ''*'')', name);
end $$;

do $$
declare
  p record;
begin
  for p in select policyname, format('%I.%I', schemaname, tablename)::regclass as name from pg_policies where schemaname = 'public' loop
    if p.policyname = 'own' then
      perform company_policy('alter', p.name);
    elsif p.policyname = 'door' then
      execute format('alter policy door on %s using (current_setting(''app.owner_id'', true) = ''*'')', p.name);
    elsif p.policyname = 'stock' then
      execute format('alter policy stock on %s using (current_setting(''app.owner_id'', true) = ''*'') with check (current_setting(''app.owner_id'', true) = ''*'')', p.name);
    end if;
  end loop;
end $$;
drop function app_owner();
drop function app_all();
