-- Row-level security keeps LIKE from trigram indexes unless it is declared to leak nothing (it can fail on its pattern alone, never on a row's text).
-- Our own cluster declares it when it is made. On another server this does where the role may; else its administrator runs the two lines once.
do $$
begin
  alter function pg_catalog.textlike(text, text) leakproof;
  alter function pg_catalog.texticlike(text, text) leakproof;
exception when insufficient_privilege then null;
end $$;
