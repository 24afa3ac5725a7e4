import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { codeOf, keysOf } from '#kit/contract/field.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { blockScope, residentState } from '#modules/residents/contract/labels.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { openRole, passageDirection } from '../../contract/choices.ts'
import { selectCredentials } from './credential-source.ts'
import './cards-and-faces.ts'
import './fingerprints.ts'
import './own-credentials.ts'
import type { ReachQuery, Sql } from './query.ts'
import { attachments, residences } from './residence.ts'
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

const credentialColumns = sql`c.item_key, c.kind, c.credential_id, c.number, c.picture, c.user_id, c.staff_id,
  c.group_ids, c.begin_date, c.directions, c.end_time, c.stay_end_time, c.entrances, c.room_ids`

/**
 * Credentials of people who are there and not kept out, and those that are nobody's. BASE-11, BASE-16: of a
 * resident who lived or worked in the project they end with the last home or work there, whatever they name.
 */
const holders = ({ ownerId }: ReachQuery): Sql => sql`
  select ${credentialColumns}, least(c.end_date, a.until_date) as end_date, p.name as holder_name
  from credential c
  join resident p on p.owner_id = ${ownerId} and p.id = c.user_id
  left join attachment a on a.user_id = c.user_id
  where p.state = ${code(residentState, 'normal')}
    and ${notDeleted('p')}
    and not exists (select 1 from blocked b where b.user_id = c.user_id)
    and (a.user_id is null or a.is_current)
  union all
  select ${credentialColumns}, c.end_date, s.name as holder_name
  from credential c
  join staff s on s.owner_id = ${ownerId} and s.id = c.staff_id
  where s.state <> ${code(staffState, 'left')} and ${notDeleted('s')}
  union all
  select ${credentialColumns}, c.end_date, null::text as holder_name
  from credential c
  where c.user_id is null and c.staff_id is null
`

/** Where credentials lead that are nobody's: to the rooms that are visited. */
const destinations = ({ ownerId }: ReachQuery): Sql => sql`
  select h.item_key, r.build_code, r.unit_name, r.floor_num, r.path as place
  from holder h
  cross join unnest(h.room_ids) as v(room_id)
  join room r on r.owner_id = ${ownerId} and r.id = v.room_id
`

/** What a holder is to a device that takes the credentials of some people only. */
export const roleOf = (staffId: Sql, userId: Sql): Sql => sql`
  case
    when ${staffId} is not null then ${String(codeOf(openRole, 'staff'))}::text
    when ${userId} is not null then ${String(codeOf(openRole, 'resident'))}::text
    else ${String(codeOf(openRole, 'visitor'))}::text
  end
`

/** Roles whose credentials no device of a door takes. */
const shut = ({ ownerId, projectCode }: ReachQuery): Sql => sql`
  select l.doorway_id, o.role
  from doorway_device l
  cross join unnest(${keysOf(openRole).map(role => String(codeOf(openRole, role)))}::text[]) as o(role)
  where l.owner_id = ${ownerId} and l.project_code = ${projectCode} and ${notDeleted('l')}
  group by l.doorway_id, o.role
  having bool_and(cardinality(l.open_roles) > 0 and o.role <> all(l.open_roles))
`

const isTaken = (role: Sql): Sql => sql`
  not exists (select 1 from shut x where x.doorway_id = e.doorway_id and x.role = ${role})
`

const isHolderTaken = isTaken(roleOf(sql`h.staff_id`, sql`h.user_id`))

/** What is neither a way in nor out: a lift. */
const isOpenBothWays = sql`(h.directions is null or ${code(passageDirection, 'both')} = any(h.directions))`

const columns = sql`h.item_key, h.kind, h.credential_id, h.number, h.picture, h.user_id, h.staff_id,
  h.holder_name, h.directions, h.end_time, h.stay_end_time, h.entrances, e.source, e.source_id, e.source_name, e.place, e.windows,
  greatest(h.begin_date, e.from_date) as from_date, least(h.end_date, e.until_date) as until_date`

/**
 * What every right begins with: `holder`, the valid credentials of people who are there and not kept out,
 * `residence`, where they live or work, and `destination`, where the others lead.
 */
export const holderCte = (query: ReachQuery): Sql => sql`
  credential as materialized (${selectCredentials(query)}),
  blocked as materialized (${blocked(query)}),
  residence as materialized (${residences(query)}),
  attachment as materialized (${attachments(query)}),
  holder as materialized (${holders(query)}),
  destination as materialized (${destinations(query)})
`

/** Every credential with the rights `entitlement` of its holder, or its own; `target`: what they are to. */
export const reachOfHolders = (target: Sql, condition = isOpenBothWays): Sql => sql`
  select ${columns}, ${target} from holder h join entitlement e on e.user_id = h.user_id where ${condition}
  union all
  select ${columns}, ${target} from holder h join entitlement e on e.staff_id = h.staff_id where ${condition}
  union all
  select ${columns}, ${target} from holder h join entitlement e on e.item_key = h.item_key where ${condition}
`

/**
 * ACS-2, written once: every credential with every door that it opens today or will, one row for each reason.
 * A right counts from `from_date` to `until_date`, both included, within `windows`. What is over is not in
 * it: a lost card, a lease, a resignation, a block. `reach` for the statement that reads it.
 */
export const reachCte = (query: ReachQuery): Sql => sql`
  passage as materialized (${passages(query)}),
  ${holderCte(query)},
  entitlement as materialized (${selectRights(query)}),
  shut as materialized (${shut(query)}),
  reach as (${reachOfHolders(sql`e.doorway_id`, isHolderTaken)})
`
