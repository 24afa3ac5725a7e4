-- An erasure needs a second person, touches rows of others only where somebody has confirmed them, and keeps the
-- names that the law asks for in one place.
alter table erasure_request
  add column run_mentions jsonb,
  add column mentions_time timestamptz,
  add column run_approve_by bigint,
  add column approve_name text,
  add column approve_time timestamptz;
create unique index erasure_request_pending on erasure_request (owner_id, person_kind, person_id)
  where delete_tag = 0 and state in (10, 15) and person_id > 0;
create index erasure_request_end on erasure_request (owner_id, end_time) where evidence is not null;

-- [{id, columns: {column: value}}]: what stood in the rows before they were replaced by the person's code
alter table personal_data_hold add column kept jsonb;
