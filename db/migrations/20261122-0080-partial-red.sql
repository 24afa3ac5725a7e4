-- INV-5, in part: a red invoice says itself of which money it takes back how much; the blue one knows how much of it is gone.
alter table invoice_part add column origin_part_id bigint;
alter table invoice_part add column red_amount numeric(14,2) not null default 0;
alter table invoice_record add column red_amount numeric(14,2) not null default 0;
insert into invoice_part (owner_id, create_by, update_by, create_time, update_time, project_code, invoice_id, record_id, detail_id, bill_id, source_name, fee_item_id, fee_item_name, begin_date, end_date, good_name, tax_rate, amount, origin_part_id)
  select p.owner_id, r.create_by, r.update_by, r.create_time, r.update_time, p.project_code, r.id, p.record_id, p.detail_id, p.bill_id, p.source_name, p.fee_item_id, p.fee_item_name, p.begin_date, p.end_date, p.good_name, p.tax_rate, p.amount, p.id
  from invoice_record r join invoice_part p on p.owner_id = r.owner_id and p.invoice_id = r.original_id and p.delete_tag = 0 where r.is_red;
update invoice_part p set red_amount = p.amount from invoice_record i where i.owner_id = p.owner_id and i.id = p.invoice_id and i.state = 60 and not i.is_red;
update invoice_record set red_amount = total_amount where state = 60 and not is_red;
-- The last wall: all red ones together never take back more than the blue one says.
alter table invoice_part add constraint invoice_part_red check (red_amount >= 0 and red_amount <= amount);
alter table invoice_record add constraint invoice_record_red_amount check (red_amount >= 0 and red_amount <= greatest(total_amount, 0));
alter table invoice_part add foreign key (owner_id, origin_part_id) references invoice_part (owner_id, id);
create index invoice_part_origin on invoice_part (owner_id, origin_part_id) where origin_part_id is not null;
-- One red invoice at a time is under way for a blue one; several may follow one another.
drop index invoice_record_red;
create unique index invoice_record_red on invoice_record (owner_id, original_id) where is_red and state in (10, 20, 40) and delete_tag = 0;
