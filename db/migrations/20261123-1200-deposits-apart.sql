-- A bill of a deposit is a liability, not income (C27-8): no report of what is receivable counts it, neither by
-- month nor in a month that was carried over. What is owed is still read from its index alone.
set local app.owner_id = '*';

delete from bill_month m using bill b where b.owner_id = m.owner_id and b.id = m.bill_id and b.fee_type = 40;
delete from fee_month m using fee_item i where i.owner_id = m.owner_id and i.id = m.fee_item_id and i.fee_type = 40;

drop index bill_owed;
create index bill_owed on bill (owner_id, project_code, due_date, id) include (unpaid, unpaid_principal, late_fee_unpaid, receivable, discount_amount, paid_principal, build_code, fee_item_id, fee_type) where delete_tag = 0 and state = 20 and pay_state = 0;
