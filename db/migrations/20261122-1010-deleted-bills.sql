-- Deleted bills free their days as abolished ones do (GEN-2): few, found by their place like those that stand.
create index bill_gone on bill (owner_id, project_code, source_type, source_code, fee_item_id, end_date) where delete_tag = 1 and relation_id is not null;
