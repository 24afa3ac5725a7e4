-- What an erasure is repeated by when an older backup is restored: numbers of records, no data of the person.
alter table erasure_request add column run_journal jsonb;
