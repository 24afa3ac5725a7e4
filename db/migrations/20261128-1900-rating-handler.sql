-- Who had done the work that a rating is of: a reference as any other, to which the name is looked up.
alter table work_order_evaluation alter column handler_id type bigint;
