-- Saved views keep their conditions by the keys of filters, five of which have plainer names now.
set local app.owner_id = '*';
update user_setup
set value = replace(replace(replace(replace(replace(value::text,
  '"live":', '"onlyCurrent":'),
  '"priced":', '"hasPriceOverride":'),
  '"loose":', '"withoutStandard":'),
  '"homeless":', '"withoutHome":'),
  '"partly":', '"isPartlyPaid":')::json
where key like 'list/%' and value::text ~ '"(live|priced|loose|homeless|partly)":';
