-- A name of a file or folder is one name in every Unicode form of its letters: it is kept composed, and so is what
-- tells names of a folder apart. Where two of a folder were apart by their form only, the younger gets a number.
alter table file_dir no force row level security;
alter table file_info no force row level security;

do $$
declare
  alike record;
  -- stem and end of the name, of its key and of its order
  name_parts text[];
  key_parts text[];
  sort_parts text[];
  suffix text;
  new_name text;
  new_key text;
  plain_name text;
  pattern text;
begin
  for alike in
    select r.*
    from (
      select t.*, normalize(t.name_key, nfc) as key,
        row_number() over (same_name order by t.create_time, t.is_file, t.id) as place,
        bool_or(t.name_key is not nfc normalized) over (
          partition by t.owner_id, t.project_code, t.parent, normalize(t.name_key, nfc)
        ) as is_affected
      from (
        select owner_id, id, project_code, pid as parent, name, name_key, sort_name, create_time, false as is_file
        from file_dir
        where delete_tag = 0
        union all
        select owner_id, id, project_code, dir_id, name, name_key, sort_name, create_time, true
        from file_info
        where delete_tag = 0
      ) t
      window same_name as (partition by t.owner_id, t.project_code, t.parent, normalize(t.name_key, nfc))
    ) r
    where r.place > 1 and r.is_affected
    order by r.owner_id, r.project_code, r.parent, r.key, r.place
  loop
    -- The number of a file stands before the end of its name.
    pattern := case when alike.is_file then '^(.+?)(\.[^.]*)?$' else '^(.+)()$' end;
    name_parts := regexp_match(normalize(alike.name, nfc), pattern);
    key_parts := regexp_match(alike.key, pattern);
    sort_parts := regexp_match(normalize(alike.sort_name, nfc), pattern);
    for n in 1 .. 1000000 loop
      suffix := '(' || n || ')';
      new_name := left(name_parts[1], 100 - length(suffix || coalesce(name_parts[2], '')))
        || suffix || coalesce(name_parts[2], '');
      new_key := left(key_parts[1], 100 - length(suffix || coalesce(key_parts[2], '')))
        || suffix || coalesce(key_parts[2], '');
      exit when not exists (
        select 1
        from file_dir
        where owner_id = alike.owner_id and project_code = alike.project_code and pid = alike.parent
          and delete_tag = 0 and normalize(name_key, nfc) = new_key
      ) and not exists (
        select 1
        from file_info
        where owner_id = alike.owner_id and project_code = alike.project_code and dir_id = alike.parent
          and delete_tag = 0 and normalize(name_key, nfc) = new_key
      );
    end loop;
    -- What the number adds to what the name is found by.
    plain_name := regexp_replace(normalize(lower(new_name), nfkc), '[\s·•.．''’-]+', '', 'g');
    plain_name := ' ' || regexp_replace(plain_name, '(.)', '\1\1\1', 'g') || ' ' || plain_name;
    execute format(
      'update %I set name = $1, name_key = $2, sort_name = $3, search_text = search_text || $4, version = version + 1
       where owner_id = $5 and id = $6',
      case when alike.is_file then 'file_info' else 'file_dir' end
    )
    using new_name, new_key, sort_parts[1] || '(' || lpad(trim(suffix, '()'), 6, '0') || ')' || coalesce(sort_parts[2], ''),
      plain_name, alike.owner_id, alike.id;
  end loop;
end $$;

update file_dir
set name = normalize(name, nfc), name_key = normalize(name_key, nfc), sort_name = normalize(sort_name, nfc),
  version = version + 1
where name is not nfc normalized or name_key is not nfc normalized;

update file_info
set name = normalize(name, nfc), name_key = normalize(name_key, nfc), sort_name = normalize(sort_name, nfc),
  version = version + 1
where name is not nfc normalized or name_key is not nfc normalized;

update file_dir
set file_label = array(
  select normalize(label, nfc)
  from unnest(file_label) with ordinality as l(label, place)
  group by 1
  order by min(place)
)
where array_to_string(file_label, ',') is not nfc normalized;

update file_info
set file_label = array(
  select normalize(label, nfc)
  from unnest(file_label) with ordinality as l(label, place)
  group by 1
  order by min(place)
)
where array_to_string(file_label, ',') is not nfc normalized;

alter table file_dir force row level security;
alter table file_info force row level security;
