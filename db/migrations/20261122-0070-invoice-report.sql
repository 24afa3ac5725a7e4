-- Invoices that went out, by the day on which they did (发票报表).
create index invoice_record_issued on invoice_record (owner_id, issue_time) where delete_tag = 0 and state in (30, 50, 60);
