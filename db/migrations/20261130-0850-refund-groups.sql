-- Refunds of several payments that are decided together name the first of them.
alter table fee_refund add column group_no text;
create index fee_refund_group on fee_refund (owner_id, group_no) where group_no is not null;
-- Orders of months whose unused days go back with one decision.
create index park_month_order_refund on park_month_order (owner_id, refund_id) where refund_id is not null;
