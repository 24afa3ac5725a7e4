-- What tells the connections of one agent apart is the servers' own: no record shows it. A program of before
-- takes no agents until it is replaced; they try again until then.
alter table gateway rename column connection_key to run_connection_key;
