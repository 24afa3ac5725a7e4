-- What was said to become of the days of an abolished bill: billed again, or never charged (GEN-3). Bills abolished before have no word.
alter table bill add column period_after smallint;
comment on column bill.period_after is '1 重新出账, 2 不再收取; empty: nothing was said';
-- Free days in the middle: abolished and deleted bills are few, and found by their place.
create index bill_freed on bill (owner_id, project_code, source_type, source_code, fee_item_id, begin_date) where (state = 30 or delete_tag = 1) and relation_id is not null;
alter table fee_refund add column period_after smallint;
comment on column fee_refund.period_after is 'of bills that the refund abolishes: 1 重新出账, 2 不再收取';
