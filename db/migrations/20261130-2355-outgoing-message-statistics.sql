-- One company adds more rows at once than PostgreSQL has of it in its statistics: senders, which look single
-- messages up, would read all of them. Looked at again within a minute, however large the table is.
alter table outgoing_message set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
