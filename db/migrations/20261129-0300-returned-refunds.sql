-- A refund that its approvers sent back to its applicant, and why.

alter table fee_refund
  add column is_returned boolean not null default false,
  add column return_reason text;
