-- What lists and guards of fees look for: an object by a part of its name, the bills of a standard.
create index fee_relation_name on fee_relation using gin (source_name gin_trgm_ops);
create index bill_standard on bill (owner_id, standard_id, end_date) where delete_tag = 0 and standard_id is not null;
