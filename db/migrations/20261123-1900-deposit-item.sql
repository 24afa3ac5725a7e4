-- A deposit knows the fee item under which it came in, so that what goes out stands under the same one.

alter table deposit add column fee_item_id integer;
alter table deposit add column fee_item_name text;

update deposit d
set fee_item_id = p.fee_item_id, fee_item_name = p.fee_item_name
from pay_detail p
where p.owner_id = d.owner_id
  and p.record_id = d.record_id
  and d.remark = '账单 ' || p.bill_no || ' ' || p.fee_item_name;

-- What is paid for a deposit is no principal of anything due.
update pay_record set principal_amount = 0 where record_type = 40 and principal_amount <> 0;
