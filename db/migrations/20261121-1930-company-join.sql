-- Who joins a company by its QR picture shows his face.
alter table company_worker add column photo text;
-- The invitation is sought before it is known whose it is.
create index company_invitation on company (search_code) where search_code is not null;
-- What waits for audit, over all companies.
create index company_worker_waiting on company_worker (owner_id, project_code, state, id) where delete_tag = 0;
