-- no transaction
-- Cards that are still in use by their last day: each minute those past it become expired (ACS-1).

create index concurrently identity_card_ends on identity_card (end_date)
  where delete_tag = 0 and state = 10 and end_date is not null;
