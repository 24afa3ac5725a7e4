import { asFen, formatYuan } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { provideArrears } from '#modules/messaging/server/public.ts'
import { billState, payState } from '../contract/choices.ts'

/** Rooms whose overdue bills come to so much, and to so many months: for messages to those who owe. */
provideArrears(
  ({ ownerId, time }, { amount, months }) => sql`
    select m.id
    from room m
    join (
      select t.project_code, t.source_code
      from bill t
      where t.owner_id = ${ownerId}
        and t.source_type = ${code(sourceType, 'room')}
        and t.state = ${code(billState, 'normal')}
        and t.pay_state = ${code(payState, 'unpaid')}
        and not t.disputed
        and t.due_date < (${time}::timestamptz at time zone 'Asia/Shanghai')::date
        and ${notDeleted('t')}
      group by 1, 2
      having sum(t.unpaid) >= ${formatYuan(amount ?? asFen(1))}::numeric
        and count(distinct t.belong_month) >= ${months ?? 1}::integer
    ) owing on owing.project_code = m.project_code and owing.source_code = m.code
    where m.owner_id = ${ownerId} and ${notDeleted('m')}
  `,
)
