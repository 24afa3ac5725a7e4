-- Every index is paid for on each bill: what another one serves goes. Of the first two the projects are skipped through (a company has few), the third is found by the relation's place.
drop index bill_report; -- bill_belong (owner_id, project_code, belong_month, …)
drop index bill_month_month; -- bill_month_report (owner_id, project_code, month, …)
drop index bill_relation; -- bill_source (…, source_code, fee_item_id, end_date)
