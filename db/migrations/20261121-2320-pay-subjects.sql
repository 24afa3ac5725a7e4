-- A pay order may be for something else than bills: what its subject must know again when the money has come.

alter table pay_order add column run_about jsonb;
-- One open order for one thing that is paid for.
create index pay_order_subject on pay_order (owner_id, order_type, ref_id) where ref_id is not null;
