-- Orders that are owed again after they were paid wait for their payment, not for their rating (C12.1).
set local app.owner_id = '*';

with owed as (
  update work_order
  set state = 60, evaluate_deadline = null, version = version + 1
  where state = 70 and pay_state = 0 and delete_tag = 0
  returning owner_id, project_code, id
)
insert into work_order_record
  (owner_id, project_code, order_id, action, from_state, to_state, action_time, actor, operator_name, content)
select owner_id, project_code, id, 75, 70, 60, now(), 30, '系统', '费用未付，恢复待付款'
from owed;

-- The few that were rated before they were owed again stand in the same view.
create index work_order_owed on work_order (owner_id, project_code) where state = 80 and pay_state = 0 and delete_tag = 0;
