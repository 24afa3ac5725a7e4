import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { Sql } from '#modules/access/server/public.ts'
import { isBlocked, isOpen } from './code-reach.ts'

/** Whether a visitor with this plate may drive in at a moment: one row, or none (PRK-2). */
export const expectedCarStatement = (
  ownerId: Id,
  projectCode: Sql,
  plateNo: string,
  at: Moment,
): Statement<{ id: Id }> => sql<{ id: Id }>`
  select v.id
  from invite_visitor v
  join visitor_invitation i on i.owner_id = ${ownerId} and i.id = v.invitation_id
  join invite_rule p on p.owner_id = ${ownerId} and p.id = i.rule_id and p.allows_car
  where v.owner_id = ${ownerId}
    and v.project_code = ${projectCode}
    and v.plate_no = ${plateNo}
    and ${notDeleted('v')}
    and ${isOpen}
    and v.begin_time <= ${at}::timestamptz
    and v.end_time >= ${at}::timestamptz
    and not ${isBlocked(ownerId, dayOfMoment(at))}
  limit 1
`
