-- Blanks what a pattern finds in the values of a document, and leaves the names of its members.
create function blank_json(document jsonb, pattern text, replacement text) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  case jsonb_typeof(document)
    when 'object' then
      return (
        select coalesce(jsonb_object_agg(m.key, blank_json(m.value, pattern, replacement)), '{}')
        from jsonb_each(document) m
      );
    when 'array' then
      return (
        select coalesce(jsonb_agg(blank_json(m.value, pattern, replacement) order by m.place), '[]')
        from jsonb_array_elements(document) with ordinality m(value, place)
      );
    when 'string' then
      return to_jsonb(regexp_replace(document #>> '{}', pattern, replacement, 'g'));
    when 'number' then
      return case when document::text ~ pattern then to_jsonb(replacement) else document end;
    else
      return document;
  end case;
end $$;

-- When the nightly run went through a company last, and what it took: also where nothing was due.
alter table retention_setting
  add column last_run_time timestamptz,
  add column last_run_count integer;
