-- Settles the open differences of a bill that are not among `:differing` any more, saying why.
update reconcile_item i
set state = :settled,
  handle_time = :now::timestamptz,
  handle_note = case
    when i.diff_type in :bookableTypes
      and exists (
        select 1
        from pay_order o
        where o.owner_id = :ownerId
          and o.channel = i.channel
          and o.transaction_id = i.transaction_id
          and o.state in :paidStates
      ) then '渠道已收到款，订单已按渠道账单入账'
    when i.diff_type = :refundDiffers
      and exists (
        select 1
        from fee_refund f
        where f.owner_id = :ownerId and f.id = i.run_refund_id and f.state = :refundDone
      ) then '渠道已退款，退款单已完成'
    else '再次核对时已一致'
    end,
  version = version + 1,
  update_time = :now::timestamptz
where owner_id = :ownerId
  and bill_id = :bill
  and state in :openStates
  and not (id = any(:differing::bigint[]))
