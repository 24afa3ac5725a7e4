-- Refunds of several payments that are decided together name the first of them.
alter table fee_refund add column group_no text;
