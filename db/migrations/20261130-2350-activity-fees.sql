-- What an activity costs a person, and what a sign-up owes, paid and gets back (NOT-2).
alter table activity add column fee numeric(14, 2) not null default 0;
alter table activity add column fee_item_id bigint;
alter table activity
add constraint activity_fee check (fee >= 0 and (fee = 0 or fee_item_id is not null)) not valid;
alter table activity
add constraint activity_fee_item foreign key (owner_id, fee_item_id)
references fee_item (owner_id, id) not valid;
create index activity_fee_items on activity (owner_id, fee_item_id) where fee_item_id is not null;

alter table activity_sign add column pay_state smallint;
alter table activity_sign add column fee_amount numeric(14, 2) not null default 0;
alter table activity_sign add column paid_amount numeric(14, 2) not null default 0;
alter table activity_sign add column refund_due numeric(14, 2) not null default 0;
alter table activity_sign add column record_id integer;
alter table activity_sign
add constraint activity_sign_amounts check (
  fee_amount >= 0 and paid_amount >= 0 and refund_due between 0 and paid_amount
) not valid;
