-- A purchase that its approvers sent back to be amended, and by how much orders may exceed what was approved.

alter table purchase
  add column is_returned boolean not null default false,
  add column return_reason text;

alter table purchase_setting
  add column order_tolerance numeric(14, 2) not null default 10;
