-- ACS-1: a number is one card's, however readers spell it. Two live cards of one number keep theirs, until one is ended.

insert into access_dirty (owner_id, subject, project_code) select distinct owner_id, 'project', project_code from identity_card where card_no <> upper(card_no);
update identity_card c set card_no = upper(c.card_no) where c.card_no <> upper(c.card_no) and not exists (select 1 from identity_card o where o.owner_id = c.owner_id and o.id <> c.id and upper(o.card_no) = upper(c.card_no) and o.delete_tag = 0 and o.state <> 30);
