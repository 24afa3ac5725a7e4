-- A deposit item is never income (C27-8): it is outside every rate and takes no late fee. Paid as a bill it becomes
-- a deposit, also of a place or a company, which have no room. How a deposit ended follows what became of its
-- parts (C27-12), so what became income is kept apart from what went to prestore.
set local app.owner_id = '*';

update fee_item set in_rate = false, late_fee_switch = false where fee_type = 40;

alter table deposit alter room_code drop not null;
alter table deposit add column income numeric(14,2) not null default 0;
alter table deposit add constraint deposit_income check (income >= 0 and income <= converted);

update deposit d set income = s.amount
  from (select owner_id, deposit_id, -sum(amount) as amount from deposit_entry where entry_type = 40 and delete_tag = 0 group by 1, 2) s
  where s.owner_id = d.owner_id and s.deposit_id = d.id;

update deposit
  set state = case when deducted + income > 0 then 50 when converted > 0 then 60 else 40 end
  where state in (40, 50, 60);
