-- INV-2: what of a deposit became income (转收入, 扣款) may be invoiced, as money of the record by which it came in; the rest of it never is.
alter table pay_record add column income_amount numeric(14,2) not null default 0;
-- when it last grew: the day by which it is looked for
alter table pay_record add column income_time timestamptz;
update pay_record r set income_amount = e.sum, income_time = e.at from (select d.owner_id, d.record_id, -sum(e.amount) as sum, max(e.entry_time) as at from deposit d join deposit_entry e on e.owner_id = d.owner_id and e.deposit_id = d.id and e.entry_type in (20, 40) and e.delete_tag = 0 where d.record_id is not null group by 1, 2) e
  where r.owner_id = e.owner_id and r.id = e.record_id;
alter table pay_record add constraint pay_record_income check (income_amount >= 0 and income_amount <= greatest(received_amount, 0) and (record_type = 40 or income_amount = 0));
-- The last wall: of a deposit no more is invoiced than became income.
alter table pay_record add constraint pay_record_deposit_invoiced check (record_type <> 40 or invoiced_amount <= income_amount);
create index pay_record_income on pay_record (owner_id, project_code, income_time desc) where income_amount > 0;

-- What it is invoiced as: one good of a company.
alter table invoice_good add column is_deposit boolean;
create unique index invoice_good_deposit on invoice_good (owner_id) where is_deposit and state = 1 and delete_tag = 0;

-- a number of the client's, like the other numbers of a part
alter table invoice_part alter column origin_part_id type integer;
