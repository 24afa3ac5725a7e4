-- Tasks that somebody was assigned to by hand keep that person; cleaning points have a cleaner and are in use
-- or not; patrol areas have a drawing, on which their points are placed.

alter table work_task
  add column assign_time timestamptz,
  add column assigner_name text;

alter table cleaning_location
  add column staff_id bigint,
  add column state smallint not null default 10;

alter table patrol_area add column drawing text;
create index patrol_area_drawing_file_key on patrol_area (owner_id, drawing) where drawing is not null;

alter table patrol_point
  add column drawing_x numeric(14, 2),
  add column drawing_y numeric(14, 2);
