-- The same as blank_json, in those values alone in which another pattern is found: a name beside a number of the
-- person is the person's, in another value of the document it may be a word.
create function blank_json_near(document jsonb, near text, pattern text, replacement text) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  case jsonb_typeof(document)
    when 'object' then
      return (
        select coalesce(jsonb_object_agg(m.key, blank_json_near(m.value, near, pattern, replacement)), '{}')
        from jsonb_each(document) m
      );
    when 'array' then
      return (
        select coalesce(jsonb_agg(blank_json_near(m.value, near, pattern, replacement) order by m.place), '[]')
        from jsonb_array_elements(document) with ordinality m(value, place)
      );
    when 'string' then
      return case when document #>> '{}' ~ near then blank_json(document, pattern, replacement) else document end;
    else
      return document;
  end case;
end $$;
