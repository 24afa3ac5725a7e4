-- Forms of approvals are stored as they are on the wire: money as "1500.00" and not in fen.
set local app.owner_id = '*';
update process_instance i
set form = (
  select json_object_agg(m.key, case
    when jsonb_typeof(m.value) = 'number' and (
      i.biz_type in (80, 90, 92, 94) and m.key in ('amount', 'each')
      or i.biz_type = 200 and exists (
        select 1
        from process_edition e, jsonb_array_elements(e.form_fields) f
        where e.owner_id = i.owner_id
          and e.process_id = i.process_id
          and e.edition_no = i.edition_no
          and f->>'key' = m.key
          and f->>'fieldKind' = 'money'
      )
    ) then to_jsonb(to_char((m.value)::numeric / 100, 'FM999999999990.00'))
    else m.value end)::text
  from jsonb_each(i.form::jsonb) m
)
where i.form <> '{}';
update process_form p
set form = (
  select json_object_agg(m.key, case
    when jsonb_typeof(m.value) = 'number' and (
      i.biz_type in (80, 90, 92, 94) and m.key in ('amount', 'each')
      or i.biz_type = 200 and exists (
        select 1
        from process_edition e, jsonb_array_elements(e.form_fields) f
        where e.owner_id = i.owner_id
          and e.process_id = i.process_id
          and e.edition_no = i.edition_no
          and f->>'key' = m.key
          and f->>'fieldKind' = 'money'
      )
    ) then to_jsonb(to_char((m.value)::numeric / 100, 'FM999999999990.00'))
    else m.value end)::text
  from jsonb_each(p.form::jsonb) m
)
from process_instance i
where i.owner_id = p.owner_id and i.id = p.instance_id and p.form <> '{}';

-- What a request is about in money, for lists.
alter table process_instance add column amount numeric(14,2);
update process_instance
set amount = (form::jsonb->>'amount')::numeric
where form::jsonb->>'amount' ~ '^-?\d{1,12}\.\d{2}$';
