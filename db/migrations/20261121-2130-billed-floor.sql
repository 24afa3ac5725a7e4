-- A relation that came with a 计费截至 (an import, the books before ours) keeps that day as its floor: abolishing the first of our bills must not
-- bill again what was billed elsewhere.
alter table fee_relation add column run_floor date;
update fee_relation r set run_floor = r.billed_to where r.billed_to is not null and not exists (select 1 from bill b where b.owner_id = r.owner_id and b.relation_id = r.id);
create function relation_floor() returns trigger language plpgsql as $$ begin new.run_floor := coalesce(new.run_floor, new.billed_to); return new; end $$;
create trigger relation_floor before insert on fee_relation for each row when (new.billed_to is not null) execute function relation_floor();
