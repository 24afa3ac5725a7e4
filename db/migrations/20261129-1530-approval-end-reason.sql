-- Why a request ended without a decision.
alter table process_instance add column end_reason text;
