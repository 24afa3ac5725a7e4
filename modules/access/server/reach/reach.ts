import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { codeOf } from '#kit/contract/field.ts'
import { companyState } from '#modules/companies/contract/company.ts'
import { workerState } from '#modules/companies/contract/company-worker.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { blockScope, relation, residencyStatus, residentState } from '#modules/residents/contract/labels.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { credentialSources } from './credential-source.ts'
import './cards-and-faces.ts'
import type { ReachQuery, Sql } from './query.ts'
import { selectRights } from './right-source.ts'

const passages = ({ ownerId, projectCode, doorwayIds }: ReachQuery): Sql => sql`
  select d.id, d.build_code, d.unit_name, d.is_public
  from doorway d
  where d.owner_id = ${ownerId}
    and d.project_code = ${projectCode}
    and d.state = ${code(enabledState, 'on')}
    and ${notDeleted('d')}
    ${doorwayIds ? sql`and d.id = any(${[...doorwayIds]}::bigint[])` : sql``}
`

const credentials = (query: ReachQuery): Sql =>
  sql.join(
    credentialSources().map(source => source.select(query)),
    sql` union all `,
  )

/** BASE-15: by the resident, or by a number that the resident has. */
const blocked = ({ ownerId, projectCode, today }: ReachQuery): Sql => sql`
  select coalesce(b.user_id, p.id) as user_id
  from user_blocklist b
  left join resident p on p.owner_id = ${ownerId}
    and b.user_id is null
    and ${notDeleted('p')}
    and (p.mobile = b.mobile or p.cert_no = b.cert_no)
  where b.owner_id = ${ownerId}
    and b.project_code = ${projectCode}
    and ${notDeleted('b')}
    and ${String(codeOf(blockScope, 'access'))} = any(b.scope)
    and (b.expire_date is null or b.expire_date >= ${today}::date)
`

/** Credentials of people who are there and not kept out, and those that are nobody's. */
const holders = ({ ownerId }: ReachQuery): Sql => sql`
  select c.*, p.name as holder_name
  from credential c
  join resident p on p.owner_id = ${ownerId} and p.id = c.user_id
  where p.state = ${code(residentState, 'normal')}
    and ${notDeleted('p')}
    and not exists (select 1 from blocked b where b.user_id = c.user_id)
  union all
  select c.*, s.name as holder_name
  from credential c
  join staff s on s.owner_id = ${ownerId} and s.id = c.staff_id
  where s.state <> ${code(staffState, 'left')} and ${notDeleted('s')}
  union all
  select c.*, null::text as holder_name from credential c where c.user_id is null and c.staff_id is null
`

/** Where residents live, and where the companies are for which they work. */
const residences = ({ ownerId, projectCode, today }: ReachQuery): Sql => sql`
  select l.user_id, l.build_code, r.unit_name, l.relation, r.path as place, l.in_date as from_date,
    l.lease_end as until_date
  from user_room l
  join room r on r.owner_id = ${ownerId} and r.id = l.room_id
  where l.owner_id = ${ownerId}
    and l.project_code = ${projectCode}
    and l.status = ${code(residencyStatus, 'living')}
    and ${notDeleted('l')}
    and (l.lease_end is null or l.lease_end >= ${today}::date)
    and l.user_id in (select h.user_id from holder h)
  union all
  select w.user_id, cr.build_code, r.unit_name, ${codeOf(relation, 'staff')}::smallint as relation,
    c.name || ' ' || r.path as place, greatest(cr.begin_date, w.in_date) as from_date,
    cr.end_date as until_date
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
    and w.user_id in (select h.user_id from holder h)
`

const columns = sql`h.item_key, h.kind, h.credential_id, h.number, h.picture, h.user_id, h.staff_id,
  h.holder_name, e.doorway_id, e.source, e.source_id, e.source_name, e.place,
  greatest(h.begin_date, e.from_date) as from_date, least(h.end_date, e.until_date) as until_date, e.windows`

/**
 * ACS-2, written once: every credential with every door that it opens today or will, one row for each reason.
 * A right counts from `from_date` to `until_date`, both included, within `windows`. What is over is not in
 * it: a lost card, a lease, a resignation, a block. `reach` for the statement that reads it.
 */
export const reachCte = (query: ReachQuery): Sql => sql`
  passage as materialized (${passages(query)}),
  credential as materialized (${credentials(query)}),
  blocked as materialized (${blocked(query)}),
  holder as materialized (${holders(query)}),
  residence as materialized (${residences(query)}),
  entitlement as materialized (${selectRights(query)}),
  reach as (
    select ${columns} from holder h join entitlement e on e.user_id = h.user_id
    union all
    select ${columns} from holder h join entitlement e on e.staff_id = h.staff_id
    union all
    select ${columns} from holder h join entitlement e on e.item_key = h.item_key
  )
`
