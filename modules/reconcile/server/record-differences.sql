-- Writes what differs now (`:differences` is differences.sql). What was settled opens again, and so does what
-- somebody handled when its amounts or kind have changed since. The same again changes nothing.
-- `materialized`: as a sub-select of the insert it crashes the coordinator of a Citus 13.2 cluster.
with found as materialized (:differences)
insert into reconcile_item as i (
  owner_id, bill_id, check_date, channel, kind, order_no, refund_no, run_nth, transaction_id,
  source_name, local_state, local_amount, channel_amount, diff_type, state, run_order_id,
  run_refund_id
)
select :ownerId::bigint, :bill::bigint, :day::date, :channel::smallint, d.kind, d.order_no,
  nullif(d.refund_no, ''), d.nth, d.transaction_id, left(d.source_name, 100), d.word, d.local_amount,
  d.channel_amount, d.diff_type, :pending, d.order_id, d.refund_id
from found d
on conflict (
  owner_id, bill_id, kind, order_no, coalesce(refund_no, ''), run_nth
) do update set transaction_id = excluded.transaction_id,
  source_name = excluded.source_name, local_state = excluded.local_state,
  run_order_id = excluded.run_order_id, run_refund_id = excluded.run_refund_id,
  state = case
    when i.state = :settled
      or (
        i.state = :handled
        and (i.local_amount, i.channel_amount, i.diff_type) is distinct from (
          excluded.local_amount, excluded.channel_amount, excluded.diff_type
        )
      ) then :pending
    else i.state
    end,
  run_told = i.run_told and i.state <> :settled,
  version = i.version + (
    (i.local_amount, i.channel_amount, i.diff_type) is distinct from (
      excluded.local_amount, excluded.channel_amount, excluded.diff_type
    )
    or i.state = :settled
  )::int,
  local_amount = excluded.local_amount, channel_amount = excluded.channel_amount,
  diff_type = excluded.diff_type
returning i.id
