-- A refund that waits for its approval, beside those that wait for their audit.
set local app.owner_id = '*';
update fee_refund f
set state = 15
from process_instance i
where f.state = 10
  and i.owner_id = f.owner_id
  and i.biz_type = 80
  and i.biz_id = f.id
  and i.state = 10
  and i.delete_tag = 0;
