-- no transaction
-- Refunds decided together, and orders of months whose unused days go back with one decision.

create index concurrently fee_refund_group on fee_refund (owner_id, group_no) where group_no is not null;
create index concurrently park_month_order_refund on park_month_order (owner_id, refund_id) where refund_id is not null;
