-- Indexes of the further reports of finance: rooms, trades, meters, prestore, parking.

-- all projects by month (房间报表); one project is served by bill_belong
create index bill_report on bill (owner_id, belong_month, project_code) where delete_tag = 0 and state = 20;
-- places and cars (停车报表)
create index bill_parking on bill (owner_id, project_code, belong_month) where delete_tag = 0 and state = 20 and source_type in (20, 30);
-- principal by the months it is for, of all projects
create index bill_month_month on bill_month (owner_id, month, project_code);
-- balances of accounts at a day (预存汇总): everything before it, without the table
create index prestore_entry_report on prestore_entry (owner_id, project_code, account_id, entry_time) include (entry_type, amount) where delete_tag = 0;
-- readings of all projects by month (抄表报表, 抄表月度汇总)
create index meter_reading_report on meter_reading (owner_id, month, meter_id) where delete_tag = 0 and state <> 30;
