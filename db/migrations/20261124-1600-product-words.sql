-- A shop that trades in an estate is 商户 everywhere in the product. What is offered is guarded by row, for the
-- owner of the table too.
alter table product no force row level security;

update product
set product_name = replace(product_name, '商家', '商户'), intro = replace(intro, '商家', '商户'),
  features = array(select replace(feature, '商家', '商户') from unnest(features) as feature)
where product_code = 'APP-BUSINESS';

alter table product force row level security;
