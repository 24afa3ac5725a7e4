-- PRK-10: a price that the booth lowered: what it let off, on the charge, and how often, on the sheet.
alter table parking_charge add column waived_amount numeric(14, 2) not null default 0;
alter table park_shift add column price_count integer not null default 0;
