-- A keyword may name a building: its rows are found beside those of the trigram index, each by its own index.
create index fee_relation_building on fee_relation (owner_id, build_code) where delete_tag = 0;
create index work_order_building on work_order (owner_id, build_code) where delete_tag = 0;
