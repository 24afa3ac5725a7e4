-- How a stay was paid: by which order, by which coupons, in which record of the books; and the last car at a lane, which a payment lets out.

alter table parking_charge add column order_id integer;
alter table parking_charge add column order_no text;
alter table parking_charge add column coupons text;
alter table parking_charge add column record_id integer;
create index parking_charge_record on parking_charge (owner_id, record_id) where record_id is not null;
create index park_lane_event_lane on park_lane_event (owner_id, lane_id, id desc);
