import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { companyState } from '#modules/companies/contract/company.ts'
import { workerState } from '#modules/companies/contract/company-worker.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { relation } from '#modules/residents/contract/relation.ts'
import type { ReachQuery, Sql } from './query.ts'

/** Where residents live, and where the companies are for which they work. */
export const residences = ({ ownerId, projectCode, today }: ReachQuery): Sql => sql`
  select l.user_id, l.build_code, r.unit_name, r.floor_num, l.relation, r.path as place,
    l.in_date as from_date, l.lease_end as until_date
  from user_room l
  join room r on r.owner_id = ${ownerId} and r.id = l.room_id
  where l.owner_id = ${ownerId}
    and l.project_code = ${projectCode}
    and l.status = ${code(residencyStatus, 'living')}
    and ${notDeleted('l')}
    and (l.lease_end is null or l.lease_end >= ${today}::date)
    and l.user_id in (select k.user_id from credential k)
  union all
  select w.user_id, cr.build_code, r.unit_name, r.floor_num,
    ${codeOf(relation, 'staff')}::smallint as relation, c.name || ' ' || r.path as place,
    greatest(cr.begin_date, w.in_date) as from_date, cr.end_date as until_date
  from company_worker w
  join company c on c.owner_id = ${ownerId} and c.id = w.company_id and ${notDeleted('c')}
    and c.state = ${code(companyState, 'here')}
  join company_room cr on cr.owner_id = ${ownerId}
    and cr.company_id = w.company_id
    and ${notDeleted('cr')}
    and (cr.end_date is null or cr.end_date >= ${today}::date)
  join room r on r.owner_id = ${ownerId} and r.id = cr.room_id
  where w.owner_id = ${ownerId}
    and w.project_code = ${projectCode}
    and w.state = ${code(workerState, 'active')}
    and ${notDeleted('w')}
    and w.user_id in (select k.user_id from credential k)
`

/** Working for a company that is in the project and never had a room there: its people have no place. */
const workersWithoutRoom = ({ ownerId, projectCode }: ReachQuery): Sql => sql`
  select w.user_id
  from company_worker w
  join company c on c.owner_id = ${ownerId} and c.id = w.company_id and ${notDeleted('c')}
    and c.state = ${code(companyState, 'here')}
  where w.owner_id = ${ownerId}
    and w.project_code = ${projectCode}
    and w.state = ${code(workerState, 'active')}
    and ${notDeleted('w')}
    and w.user_id in (select k.user_id from credential k)
    and not exists (
      select 1 from company_room cr where cr.owner_id = ${ownerId} and cr.company_id = w.company_id
    )
`

/** Who lives or works in the project or ever did: a record that was deleted counts, for it was a way in. */
const everAttached = ({ ownerId, projectCode }: ReachQuery): Sql => sql`
  select l.user_id
  from user_room l
  where l.owner_id = ${ownerId}
    and l.project_code = ${projectCode}
    and l.status in ${codes(residencyStatus, 'living', 'left')}
    and l.user_id in (select k.user_id from credential k)
  union all
  select w.user_id
  from company_worker w
  where w.owner_id = ${ownerId}
    and w.project_code = ${projectCode}
    and w.state in ${codes(workerState, 'active', 'left')}
    and w.user_id in (select k.user_id from credential k)
`

/**
 * Of each resident who lives or works in the project or ever did: whether that is still so, and until when.
 * Who never did is not in it: a card that somebody was given for another reason stands for itself.
 */
export const attachments = (query: ReachQuery): Sql => sql`
  select s.user_id, bool_or(s.is_current) as is_current,
    case
      when bool_or(s.is_current and s.until_date is null) then null
      else max(s.until_date)
    end as until_date
  from (
    select user_id, until_date, true as is_current from residence
    union all
    select user_id, null::date, true from (${workersWithoutRoom(query)}) w
    union all
    select user_id, null::date, false from (${everAttached(query)}) f
  ) s
  group by s.user_id
`
