-- Takes the refunded lines off the payment's details, and writes the refund's own: its details and tender lines,
-- negative, under the negative record.
with line as (
  select *
  from json_to_recordset(:lines::json) as l(
    id bigint, principal numeric, late numeric
  )
),
  refunded as (
    update pay_detail d
    set refunded_principal = d.refunded_principal + line.principal,
      refunded_late_fee = d.refunded_late_fee + line.late
    from line
    where d.owner_id = :ownerId and d.id = line.id
    returning d.*, line.principal as back_principal, line.late as back_late
  ),
  tender as (
    insert into pay_line (owner_id, record_id, seq, method, amount)
    select :ownerId::bigint, :record::bigint, t.seq, t.method, t.amount
    from json_to_recordset(:tenderLines::json) as t(
      seq smallint, method smallint, amount numeric
    )
    returning seq
  )
insert into pay_detail (
  owner_id, create_by, update_by, record_id, bill_id, bill_no, source_type, source_code, source_name,
  fee_item_id, fee_item_name, begin_date, end_date, principal, late_fee
)
select :ownerId::bigint, :operator::bigint, :operator::bigint,
  :record::bigint, r.bill_id, r.bill_no, r.source_type, r.source_code, r.source_name, r.fee_item_id,
  r.fee_item_name, r.begin_date, r.end_date, -r.back_principal, -r.back_late
from refunded r
returning id
