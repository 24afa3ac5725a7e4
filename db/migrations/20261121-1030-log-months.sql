-- The months of the logs stand before anything is written into them: a row in the default partition would bar its month from being made.
call make_months('audit_log', current_date, 4);
call make_months('operation_log', current_date, 4);
