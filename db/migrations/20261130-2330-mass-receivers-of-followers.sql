-- A follower who is erased, or who left long ago, goes with what was counted of him.
alter table wechat_mass_receiver drop constraint wechat_mass_receiver_owner_id_follower_id_fkey;
alter table wechat_mass_receiver
add constraint wechat_mass_receiver_follower foreign key (owner_id, follower_id)
references wechat_follower (owner_id, id) on delete cascade not valid;
-- What ends with its period.
create index wechat_follower_left on wechat_follower (owner_id, leave_time) where not is_following;
create index wechat_mass_receiver_day on wechat_mass_receiver (owner_id, queue_day);
