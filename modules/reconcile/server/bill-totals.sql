-- The figures of a bill: ours (`:localTrades` is local-trades.sql), the channel's, and the differences.
update channel_bill b
set (local_count, local_amount, local_refund) = (
  select count(*), coalesce(sum(amount) filter (where kind = :pay), 0),
    coalesce(sum(amount) filter (where kind = :refund), 0)
  from (:localTrades) u
),
  (channel_count, channel_amount, channel_refund) = (
    select count(*), coalesce(sum(amount) filter (where kind = :pay), 0),
      coalesce(sum(amount) filter (where kind = :refund), 0)
    from channel_bill_line l
    where l.owner_id = :ownerId and l.bill_id = :bill
  ),
  (diff_count, open_count, state) = (
    select count(*) filter (where state <> :settled),
      count(*) filter (where state in :openStates),
      case
        when count(*) filter (
          where state in :openStates
        ) > 0 then :different
        else :same
        end
    from reconcile_item i
    where i.owner_id = :ownerId and i.bill_id = :bill
  ),
  fail_reason = null, update_time = :now::timestamptz
where owner_id = :ownerId and id = :bill
