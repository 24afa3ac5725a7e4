-- no transaction
-- Who ever lived or worked in a project, by person: records that were deleted, too (BASE-11).

create index concurrently user_room_person on user_room (owner_id, user_id);
create index concurrently company_worker_person on company_worker (owner_id, user_id) where user_id is not null;
