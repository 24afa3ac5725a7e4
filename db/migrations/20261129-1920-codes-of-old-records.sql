-- no transaction
-- Records of before keep the last digits of a code, as those of today do and as the screens show them. A week
-- at a time, each in a transaction of its own. What a record is found by (item_key) is in no export.

do $$
declare
  week date;
  past date;
begin
  set local app.owner_id = '*';
  select min(create_time)::date, max(create_time)::date into week, past from access_record;
  while week <= past loop
    update access_record
    set card_no = repeat('*', greatest(2, length(card_no) - 2)) || case when length(card_no) > 4 then right(card_no, 2) else '' end
    where create_time >= week
      and create_time < week + 7
      and card_no is not null
      and position('*' in card_no) = 0
      and (
        open_method = 4
        or item_key ~ '^(qr|pass|password):'
        or ((person_kind is null or person_kind = 90) and card_no ~ '^([0-9]{8}|[0-9]{16})$')
      );
    commit;
    set local app.owner_id = '*';
    week := week + 7;
  end loop;
end $$;

do $$
declare
  week date;
  past date;
begin
  set local app.owner_id = '*';
  select min(create_time)::date, max(create_time)::date into week, past from elevator_call;
  while week <= past loop
    update elevator_call c
    set card_no = repeat('*', greatest(2, length(c.card_no) - 2)) || case when length(c.card_no) > 4 then right(c.card_no, 2) else '' end
    where c.create_time >= week
      and c.create_time < week + 7
      and c.card_no is not null
      and position('*' in c.card_no) = 0
      and (
        c.method = 4
        or (c.user_id is null and c.staff_id is null and c.card_no ~ '^([0-9]{8}|[0-9]{16})$')
        or exists (select 1 from pass_code p where p.owner_id = c.owner_id and p.run_code = c.card_no)
        or exists (select 1 from invite_visitor v where v.owner_id = c.owner_id and v.invite_no = c.card_no)
      );
    commit;
    set local app.owner_id = '*';
    week := week + 7;
  end loop;
end $$;
