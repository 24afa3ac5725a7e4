import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { groupScope, rightSource, vipState } from '../../contract/choices.ts'
import type { ReachQuery, Sql } from './query.ts'

/**
 * Why somebody may open doors. It selects from `passage` (the doors that are asked for), `holder` (valid
 * credentials) and `residence` (where residents live or work): `item_key`, `user_id`, `staff_id` (one of them
 * says whose right it is), `doorway_id`, `source`, `source_id`, `source_name`, `place`, `from_date`,
 * `until_date`, `windows`.
 */
type RightSelect = (query: ReachQuery) => Sql

const always = sql`null::date as from_date, null::date as until_date`

const groupsInUse = ({ ownerId, projectCode }: ReachQuery): Sql =>
  sql`g.owner_id = ${ownerId} and g.project_code = ${projectCode} and ${notDeleted('g')}
    and g.state = ${code(enabledState, 'on')}`

const ofGroup = sql`g.id as source_id, g.group_name as source_name`
const doorwaysOfGroup = sql`join passage d on d.id = any(g.doorway_ids::bigint[])`

/** Groups that the credential itself names. */
const ownGroups: RightSelect = query => sql`
  select h.item_key, null::bigint as user_id, null::bigint as staff_id, d.id as doorway_id,
    ${code(rightSource, 'group')}::smallint as source, ${ofGroup}, null::text as place, ${always}, g.windows
  from holder h
  join doorway_group g on g.id = any(h.group_ids::bigint[]) and ${groupsInUse(query)}
  ${doorwaysOfGroup}
`

/** Groups of the building or unit where somebody lives or works. */
const placeGroups: RightSelect = query => sql`
  select null::text as item_key, l.user_id, null::bigint as staff_id, d.id as doorway_id,
    ${code(rightSource, 'placeGroup')}::smallint as source, ${ofGroup}, l.place, l.from_date, l.until_date,
    g.windows
  from residence l
  join doorway_group g on l.build_code = any(g.build_codes)
    and (g.scope_type = ${code(groupScope, 'building')} or l.unit_name = any(g.unit_names))
    and (coalesce(cardinality(g.default_for_role), 0) = 0 or l.relation::text = any(g.default_for_role))
    and g.scope_type in ${codes(groupScope, 'building', 'unit')}
    and ${groupsInUse(query)}
  ${doorwaysOfGroup}
`

/** Doors that are open to those who live or work in the project, the building or the unit. */
const publicDoorways: RightSelect = () => sql`
  select null::text as item_key, l.user_id, null::bigint as staff_id, d.id as doorway_id,
    ${code(rightSource, 'publicDoorway')}::smallint as source, null::bigint as source_id,
    null::text as source_name, l.place, l.from_date, l.until_date, null::jsonb as windows
  from residence l
  join passage d on d.is_public
    and (d.build_code is null or d.build_code = l.build_code)
    and (d.unit_name is null or d.unit_name = l.unit_name)
`

/** Doors of single people. */
const vipDoorways: RightSelect = ({ ownerId, projectCode, today }) => sql`
  select null::text as item_key, v.user_id, v.staff_id, d.id as doorway_id,
    ${code(rightSource, 'vip')}::smallint as source, v.id as source_id, null::text as source_name,
    null::text as place, v.begin_date as from_date, v.end_date as until_date, null::jsonb as windows
  from vip_doorway v
  join passage d on d.id = any(v.doorway_ids::bigint[])
  where v.owner_id = ${ownerId}
    and v.project_code = ${projectCode}
    and ${notDeleted('v')}
    and v.state = ${code(vipState, 'valid')}
    and (v.end_date is null or v.end_date >= ${today}::date)
`

/** Groups for all of the staff. */
const staffGroups: RightSelect = query => sql`
  select null::text as item_key, null::bigint as user_id, s.staff_id, d.id as doorway_id,
    ${code(rightSource, 'staffGroup')}::smallint as source, ${ofGroup}, null::text as place, ${always},
    g.windows
  from (select distinct h.staff_id from holder h where h.staff_id is not null) s
  join doorway_group g on g.scope_type = ${code(groupScope, 'staff')} and ${groupsInUse(query)}
  ${doorwaysOfGroup}
`

const sources: readonly RightSelect[] = [ownGroups, placeGroups, publicDoorways, vipDoorways, staffGroups]

export const selectRights = (query: ReachQuery): Sql =>
  sql.join(
    sources.map(select => select(query)),
    sql` union all `,
  )
