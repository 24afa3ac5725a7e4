-- Numbers of documents (G-14): prefix, day, a daily sequence of each company. The last number drawn; kept in
-- blocks by the processes, so no transaction holds a row to its end. Takes the place of bill_counter, which the
-- version before still counts with.
set local app.owner_id = '*';

create table document_counter (
  owner_id bigint not null,
  prefix text not null,
  day date not null,
  last integer not null,
  primary key (owner_id, prefix, day)
);
call guard('document_counter');

-- Today goes on well after what is given out, out of the way of servers of the version before that still run.
insert into document_counter (owner_id, prefix, day, last)
  select owner_id, prefix, day, last + case when day >= current_date - 1 then 100000 else 0 end
  from bill_counter;

insert into document_counter (owner_id, prefix, day, last)
  select owner_id, 'DD', to_date(substr(order_no, 3, 8), 'YYYYMMDD'), max(substr(order_no, 11)::integer) + 100000
  from (
    select owner_id, order_no from pay_order
    union all
    select owner_id, order_no from product_order
  ) o
  where order_no ~ '^DD20[0-9]{6}[0-9]{6,8}$' and substr(order_no, 3, 8) >= to_char(current_date - 1, 'YYYYMMDD')
  group by 1, 3;

-- What a channel knows an order or a refund by: companies may share a merchant's account there, and each counts
-- for itself. Where there is none it is our own number.
alter table pay_order add column trade_no text;
alter table fee_refund add column trade_no text;

-- lpad() cuts what is too long: the millionth code would have been the hundred thousandth again.
create or replace function next_code(prefix text) returns text language sql volatile as $$
  select prefix || lpad(n, greatest(6, length(n)), '0') from (select nextval('natural_code_seq')::text as n) s
$$;
