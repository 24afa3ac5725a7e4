-- Lists of people by name, and what is typed into their search boxes.
create index staff_name on staff (owner_id, name, id) where delete_tag = 0;
create index staff_search on staff using gin (search_text gin_trgm_ops);
create index company_search on company using gin (search_text gin_trgm_ops);
create index company_worker_search on company_worker using gin (search_text gin_trgm_ops);
create index merchant_search on merchant using gin (search_text gin_trgm_ops);
