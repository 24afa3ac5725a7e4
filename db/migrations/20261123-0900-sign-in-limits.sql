-- Who asked for a code by SMS, for the day's ceilings of an address and of a company (0: no company yet).
alter table sms_code add column ip text not null default '';
alter table sms_code add column company_id bigint not null default 0;
create index sms_code_ip on sms_code (ip, create_time);
create index sms_code_company on sms_code (company_id, create_time);
