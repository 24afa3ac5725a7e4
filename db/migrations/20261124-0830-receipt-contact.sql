-- What goes to a payer says how the company is reached, also by templates that were saved before it could.
-- Documents by kind: 10 receipt, 15 prestore, 20 bill, 30 letter, 40 deposit, 50 refund.
update property_print
set parts = parts || '{180}'
where doc_type in (10, 15, 20, 30, 40, 50) and not '180' = any(parts);
