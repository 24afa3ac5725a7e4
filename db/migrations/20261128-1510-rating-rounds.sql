-- An order that is taken up again keeps how it was rated before (WO-10). The moment of the reopening marks such a
-- rating; one of an order has none.
set local app.owner_id = '*';

alter table work_order_evaluation add column reopen_time timestamptz;

create unique index work_order_evaluation_current on work_order_evaluation (owner_id, order_id)
  where delete_tag = 0 and reopen_time is null;
create index work_order_evaluation_order on work_order_evaluation (owner_id, order_id) where delete_tag = 0;
create index work_order_evaluation_handler on work_order_evaluation (owner_id, handler_id, evaluate_time)
  where delete_tag = 0 and not is_default;
drop index work_order_evaluation_once;

-- Nothing but a reopening ever struck a rating out.
update work_order_evaluation
set delete_tag = 0, reopen_time = update_time, version = version + 1
where delete_tag = 1;
