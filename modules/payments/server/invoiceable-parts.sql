-- What may still be invoiced of the records `t` that `:where` finds (INV-1, INV-2, REF-9): details of bills, money
-- kept as prestore, and what of a deposit became income. `:at` is when prestore is invoiced.
select x.*, greatest(0, x.paid - x.refunded - x.away - x.invoiced) as open,
  greatest(0, x.invoiced - (x.paid - x.refunded - x.away)) as over
from (
  select t.id as record_id, d.id as detail_id, d.bill_id, d.source_name, d.fee_item_id, d.fee_item_name,
    d.begin_date, d.end_date, d.principal + d.late_fee as paid,
    d.refunded_principal + d.refunded_late_fee as refunded, d.invoiced_amount as invoiced,
    greatest(
      0,
      least(
        :kept,
        t.coupon_amount + case
          when :at = :topUpTiming then t.prestore_amount
          else 0
          end - t.refunded_amount - (
            sum(:kept) over (
              partition by d.owner_id, d.record_id order by d.id
            ) - (:kept)
          )
      )
    ) as away,
    false as income
  from pay_record t
  join pay_detail d on d.owner_id = :ownerId and d.record_id = t.id and :liveDetail
  where :where and :invoiceable
  union all
  select t.id, null, null, t.source_name, null, '预存充值', null, null, t.to_prestore, 0,
    t.invoiced_amount - (
      select coalesce(sum(d.invoiced_amount), 0)
      from pay_detail d
      where d.owner_id = :ownerId and d.record_id = t.id
    ),
    0, false
  from pay_record t
  where :where and :invoiceable and t.to_prestore > 0 and :at = :topUpTiming
  union all
  select t.id, null, null, t.source_name, null, '押金转收入', null, null, t.income_amount, 0,
    t.invoiced_amount, 0, true
  from pay_record t
  where :income
    and t.record_type = :deposit
    and t.income_amount > 0
    and :liveRecord
) x
