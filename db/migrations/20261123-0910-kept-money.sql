-- 实收 is what stays with the company (C27-9): what was handed over less the change and less what prestore and
-- coupons had paid, which came in before. What was handed over keeps a column of its own.
set local app.owner_id = '*';

alter table pay_record rename column received_amount to tendered_amount;
alter table pay_record add column received_amount numeric(14,2) not null
  generated always as (tendered_amount - change_amount - prestore_amount - coupon_amount) stored;
