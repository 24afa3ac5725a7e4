-- What stands only at the channel has no state of ours; earlier comparisons wrote words there. The reasons of bills
-- that could not be fetched are said as they are now.
alter table reconcile_item no force row level security;
alter table channel_bill no force row level security;

update reconcile_item set local_state = null where local_state = '没有';

update channel_bill
set fail_reason = replace(
    replace(
      replace(fail_reason, '渠道的账单还没有生成，请稍后再取', '渠道的账单尚未生成，请稍后再获取'),
      '支付渠道没有给出账单，请稍后重试', '支付渠道未返回账单，请稍后重试'
    ),
    '，没有采用', '，未采用'
  )
where fail_reason like '%没有%';

alter table reconcile_item force row level security;
alter table channel_bill force row level security;
