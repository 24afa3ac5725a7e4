-- What the file before this one added is checked for the rows that are there, while others go on writing.
alter table fee_refund validate constraint fee_refund_subject;
alter table prestore_account validate constraint prestore_account_refunding;
alter table deposit validate constraint deposit_refunding;
