-- Writes the new values of bills that are locked, with their invoice state.
update bill as t
set amount = r.amount, discount_amount = r.discount, paid_principal = r.paid, late_fee_due = r.due,
  late_fee_paid = r.late_paid, late_fee_waived = r.waived, late_fee_manual = r.manual,
  state = r.state, pay_state = r.pay_state, refund_state = r.refund_state, due_date = r.due_date,
  delete_tag = r.deleted, pay_time = r.pay_time,
  invoice_state = case
    when t.invoiced_amount <= 0 then t.invoice_state
    when t.invoiced_amount >= r.paid + r.late_paid then :full
    else :part
    end,
  lock_order_id = case when r.free then null else t.lock_order_id end,
  lock_until = case when r.free then null else t.lock_until end,
  :extraColumns :touched
from json_to_recordset(:records::json) as r(
  id bigint, amount numeric, discount numeric, paid numeric, due numeric, late_paid numeric,
  waived numeric, manual boolean, state smallint, pay_state smallint, refund_state smallint,
  due_date date, free boolean, deleted smallint, pay_time timestamptz
)
where t.owner_id = :ownerId
  and t.id = r.id
  and t.id :isOneOf
  and :liveBill
