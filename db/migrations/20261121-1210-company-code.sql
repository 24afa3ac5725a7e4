-- Every company has an invitation from the start: 122 random bits, in the QR picture that its workers scan.
alter table company alter column search_code set default replace(gen_random_uuid()::text, '-', '');
update company set search_code = replace(gen_random_uuid()::text, '-', '') where search_code is null and state <> 20;
-- What the nightly work looks for.
create index company_room_begin on company_room (begin_date) where delete_tag = 0;
create index company_room_end on company_room (end_date) where delete_tag = 0 and end_date is not null;
create index identity_card_end on identity_card (end_date) where delete_tag = 0 and state = 10 and end_date is not null;
