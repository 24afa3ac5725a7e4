-- Whether somebody may open a stored file is asked of the records that hold it, by its key.
create index resident_file_key on resident (owner_id, photo) where photo is not null;
create index face_key_file_key on face_key (owner_id, face);
create index company_worker_file_key on company_worker (owner_id, photo) where photo is not null;
create index company_file_key on company (owner_id, license) where license is not null;
create index merchant_file_key on merchant (owner_id, license) where license is not null;
create index meter_reading_file_key on meter_reading (owner_id, photo) where photo is not null;
create index invoice_record_file_key on invoice_record (owner_id, pdf) where pdf is not null;
create index task_center_result_file_key on task_center (owner_id, result_file) where result_file is not null;
create index task_center_fault_file_key on task_center (owner_id, fault_file) where fault_file is not null;
create index deposit_entry_file_key on deposit_entry using gin (evidence);
