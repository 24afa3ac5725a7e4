-- What ends the links of one home or job by hand, or with the mobile: a stamp that is never the same again.

create table person_link (
  owner_id bigint not null,
  -- 1 a home (user_room), 2 a job (company_worker)
  kind smallint not null,
  subject_id bigint not null,
  project_code text not null,
  stamp text not null,
  is_void boolean not null default false,
  primary key (owner_id, kind, subject_id)
);
call guard('person_link');
