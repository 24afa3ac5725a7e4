-- BASE-16: what opened to people of the company ended with their work, and is issued again when they come back.

set local app.owner_id = '*';
update identity_card c
set state = 30, end_reason = '员工离职', update_time = now()
from staff s
where s.owner_id = c.owner_id and s.id = c.staff_id and (s.state = 30 or s.delete_tag <> 0)
  and c.staff_id is not null and c.delete_tag = 0 and c.state in (10, 20, 40);
update face_key f
set state = 40, update_time = now()
from staff s
where s.owner_id = f.owner_id and s.id = f.staff_id and (s.state = 30 or s.delete_tag <> 0)
  and f.staff_id is not null and f.delete_tag = 0 and f.state <> 40;
update vip_doorway v
set state = 20, update_time = now()
from staff s
where s.owner_id = v.owner_id and s.id = v.staff_id and (s.state = 30 or s.delete_tag <> 0)
  and v.staff_id is not null and v.delete_tag = 0 and v.state = 10;
update elevator_right r
set state = 20, update_time = now()
from staff s
where s.owner_id = r.owner_id and s.id = r.staff_id and (s.state = 30 or s.delete_tag <> 0)
  and r.staff_id is not null and r.delete_tag = 0 and r.state = 10;
update pass_code p
set state = 30, update_time = now()
from staff s
where s.owner_id = p.owner_id and s.id = p.staff_id and (s.state = 30 or s.delete_tag <> 0)
  and p.staff_id is not null and p.delete_tag = 0 and p.state = 10;
