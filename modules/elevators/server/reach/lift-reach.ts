import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { credentialKind, type CredentialKind } from '#modules/access/contract/choices.ts'
import type { WeekWindow } from '#kit/domain/week-window.ts'
import {
  holderCte,
  isAsked,
  reachOfHolders,
  type ReachQuery,
  type Sql,
} from '#modules/access/server/public.ts'
import { floorSource, rightState, type FloorSource } from '../../contract/choices.ts'

export interface LiftQuery extends ReachQuery {
  /** All lifts of the project without them. */
  readonly elevatorIds?: readonly Id[]
  /** Also rights that are over: to say so of them. */
  readonly withExpired?: boolean
}

const lifts = ({ ownerId, projectCode, elevatorIds }: LiftQuery): Sql => sql`
  select e.id, e.build_code, e.unit_name, e.floor_list
  from elevator e
  where e.owner_id = ${ownerId}
    and e.project_code = ${projectCode}
    and ${notDeleted('e')}
    ${elevatorIds ? sql`and e.id = any(${[...elevatorIds]}::bigint[])` : sql``}
`

/** A lift that stops at other floors alone leads to its public ones. */
const floorOfPlace = (floor: Sql): Sql => sql`
  case when ${floor}::text = any(e.floor_list) then array[${floor}::text] else '{}'::text[] end
`

const isLiftOf = (building: Sql, unit: Sql): Sql => sql`
  e.build_code = ${building} and (e.unit_name is null or e.unit_name = ${unit})
`

/** Those who live or work in the building or unit of a lift: their own floor; public ones come with any. */
const homeFloors = sql`
  select null::text as item_key, l.user_id, null::bigint as staff_id, e.id as elevator_id,
    ${floorOfPlace(sql`l.floor_num`)} as floors, ${code(floorSource, 'home')}::smallint as source, null::bigint as source_id, null::text as source_name,
    l.place, l.from_date, l.until_date, null::jsonb as windows
  from residence l
  join lift e on ${isLiftOf(sql`l.build_code`, sql`l.unit_name`)}
`

/** A guest goes where the host does: to the floor of the visited room. */
const visitedFloors = sql`
  select d.item_key, null::bigint as user_id, null::bigint as staff_id, e.id as elevator_id,
    ${floorOfPlace(sql`d.floor_num`)} as floors, ${code(floorSource, 'visit')}::smallint as source,
    null::bigint as source_id, null::text as source_name, d.place, null::date as from_date,
    null::date as until_date, null::jsonb as windows
  from destination d
  join lift e on ${isLiftOf(sql`d.build_code`, sql`d.unit_name`)}
`

/** Floors of single people. */
const ownRights = ({ ownerId, projectCode, today, withExpired }: LiftQuery): Sql => sql`
  select null::text as item_key, v.user_id, v.staff_id, e.id as elevator_id, v.floors,
    ${code(floorSource, 'right')}::smallint as source, v.id as source_id, null::text as source_name,
    null::text as place, v.begin_date as from_date, v.end_date as until_date, v.windows
  from elevator_right v
  join lift e on e.id = v.elevator_id
  where v.owner_id = ${ownerId}
    and v.project_code = ${projectCode}
    and ${notDeleted('v')}
    and v.state = ${code(rightState, 'valid')}
    ${withExpired ? sql`` : sql`and (v.end_date is null or v.end_date >= ${today}::date)`}
`

/**
 * ELV-2: every credential with every lift that its holder may use today or will, one row for each reason. Who
 * holds what, is kept out or lives where is asked of access control.
 */
export const liftReachCte = (query: LiftQuery): Sql => sql`
  ${holderCte(query)},
  lift as materialized (${lifts(query)}),
  entitlement as materialized (
    ${homeFloors} union all ${visitedFloors} union all ${ownRights(query)}
  ),
  reach as (${reachOfHolders(sql`e.elevator_id, e.floors`)})
`

/** One reason why one credential goes to floors of one lift. */
export interface LiftRight {
  readonly itemKey: string
  readonly kind: CredentialKind
  readonly number?: string
  readonly holderName?: string
  readonly elevatorId: Id
  readonly floors: readonly string[]
  readonly source: FloorSource
  readonly place?: string
  readonly fromDate?: Day
  readonly untilDate?: Day
  readonly windows?: readonly WeekWindow[]
}

type StoredRight = Omit<LiftRight, 'kind' | 'source'> & { readonly kind: number; readonly source: number }

const rightOf = ({ kind, source, ...row }: StoredRight): LiftRight => ({
  ...row,
  kind: defined(keyOf(credentialKind, kind)),
  source: defined(keyOf(floorSource, source)),
})

interface Limits {
  readonly size: number
  readonly offset: number
}

export async function findLiftRights(db: Db, query: LiftQuery, limits?: Limits): Promise<LiftRight[]> {
  const rows = await db.rows<StoredRight>(sql`
    with ${liftReachCte(query)}
    select r.item_key, r.kind, r.number, r.holder_name, r.elevator_id, r.floors, r.source, r.place,
      r.from_date, r.until_date, r.windows
    from reach r
    where ${isAsked(query)}
    order by r.holder_name, r.item_key, r.elevator_id, r.source, r.place, r.source_id
    ${limits ? sql`limit ${limits.size} offset ${limits.offset}` : sql``}
  `)
  return rows.map(rightOf)
}

export async function countLiftRights(db: Db, query: LiftQuery): Promise<number> {
  const found = await db.one<{ total: number }>(sql`
    with ${liftReachCte(query)}
    select count(*)::integer as total from reach r where ${isAsked(query)}
  `)
  return defined(found).total
}
