-- Refunds of prestore and deposits that wait for an approval are refund documents too; what they ask for is
-- reserved. A refund under approval has a state of its own (15), beside one that waits for its audit.
alter table fee_refund add column subject smallint not null default 10;
alter table fee_refund add column subject_id integer;
alter table fee_refund add column method smallint;
alter table fee_refund alter column record_id drop not null;
alter table fee_refund alter column bill_after drop not null;
alter table fee_refund add constraint fee_refund_subject
  check (case when subject = 10 then record_id is not null and bill_after is not null else subject_id is not null and method is not null end) not valid;
comment on column fee_refund.subject is 'what is given back: 10 账单, 20 预存, 30 押金';

alter table prestore_account add column refunding numeric(14,2) not null default 0;
alter table prestore_account add constraint prestore_account_refunding check (refunding >= 0 and refunding <= balance) not valid;
alter table deposit add column refunding numeric(14,2) not null default 0;
alter table deposit add constraint deposit_refunding check (refunding >= 0 and refunding <= balance) not valid;
