-- Before, every refund that left a bill unpaid made the cost of its order 已退款. A cost is given back with its bill
-- only: where the bill still stands, the cost is what the bill says, so that it can be paid, changed or closed. One
-- that another cost has replaced stays as it is: one cost of an order stands at a time.
set local app.owner_id = '*';

with wrong as (
  select distinct on (c.owner_id, c.order_id) c.owner_id, c.order_id, c.id, b.pay_state, b.paid_principal
  from work_order_charge c
  join bill b on b.owner_id = c.owner_id and b.id = c.bill_id
  where c.charge_kind = 10
    and c.state = 2
    and c.delete_tag = 0
    and b.state = 20
    and b.delete_tag = 0
    and not exists (
      select 1
      from work_order_charge other
      where other.owner_id = c.owner_id
        and other.order_id = c.order_id
        and other.charge_kind = 10
        and other.state in (0, 1, 4)
        and other.delete_tag = 0
    )
  order by c.owner_id, c.order_id, c.id desc
), corrected as (
  -- the states 未支付 and 已支付 of a cost have the codes of 未缴 and 已缴 of a bill
  update work_order_charge c
  set state = w.pay_state, paid_amount = w.paid_principal,
    paid_time = case when w.pay_state = 1 then c.paid_time end, version = c.version + 1
  from wrong w
  where c.owner_id = w.owner_id and c.id = w.id
  returning c.owner_id, c.order_id, c.state
)
update work_order o
set pay_state = f.state, version = o.version + 1
from corrected f
where o.owner_id = f.owner_id and o.id = f.order_id;
