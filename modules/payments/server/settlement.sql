-- A record with its receipt number, its details and its tender lines (PAY-20). `:counter` takes the receipt number
-- and holds the project's counter to the end of the transaction: everything else is locked before.
with counter as (:counter),
  detail as (
    insert into pay_detail (
      owner_id, create_by, update_by, record_id, bill_id, bill_no, source_type, source_code,
      source_name, fee_item_id, fee_item_name, begin_date, end_date, principal, late_fee
    )
    select :ownerId::bigint, :operator::bigint, :operator::bigint,
      :record::bigint, r.*
    from json_to_recordset(:details::json) as r(
      bill_id bigint, bill_no text, source_type smallint, source_code text, source_name text,
      fee_item_id bigint, fee_item_name text, begin_date date, end_date date, principal numeric,
      late_fee numeric
    )
    returning id
  ),
  line as (
    insert into pay_line (owner_id, record_id, seq, method, amount)
    select :ownerId::bigint, :record::bigint, r.*
    from json_to_recordset(:lines::json) as r(
      seq smallint, method smallint, amount numeric
    )
    returning seq
  )
insert into pay_record (
  owner_id, id, create_by, update_by, project_code, record_no, record_type, receipt_no, source_name,
  build_code, payer_kind, payer_id, payer_name, principal_amount, late_fee_amount, round_off,
  coupon_amount, prestore_amount, tendered_amount, change_amount, to_prestore, pay_method, methods,
  pay_order_id, pay_time, pay_day, cashier_id, cashier_name, is_history, remark, state
)
select :ownerId, :record, :operator, :operator, :project,
  :recordNo, :recordType, counter.receipt_no,
  :sourceName,
  :building,
  :payerKind, :payerId,
  :payerName, :principal, :late,
  :roundOff, :coupon, :prestore, :tendered,
  :change, :toPrestore,
  :method, :methods,
  :payOrder, :paidAt, :day, :cashier, :cashierName,
  :isHistory, :remark, :normal
from counter
returning record_no, receipt_no
