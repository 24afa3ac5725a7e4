-- Whether a company has closed its setup guide, and which of its projects is the sample that can be removed as a whole.
create table onboarding (
  owner_id bigint not null,
  closed boolean not null default false,
  sample_code text,
  sample_time timestamptz,
  update_time timestamptz not null,
  update_by bigint,
  primary key (owner_id)
);
call guard('onboarding');
