-- What somebody owes or has paid for an order: nothing under warranty, or once the cost was given back or abolished.
alter table work_order add column payable_cost numeric(14,2) not null
  generated always as (case when is_warranty or pay_state in (2, 3) then 0 else total_cost end) stored;
