-- PRK-9: the night in which a car that stays long was last in a message.
alter table parking_stay add column run_notice_day date;

-- Cars inside by the time of their entry, for the nightly job; across companies.
create index parking_stay_open on parking_stay (in_time) where state in (10, 20) and delete_tag = 0;
