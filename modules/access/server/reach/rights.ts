import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { credentialKind, rightSource, type CredentialKind, type RightSource } from '../../contract/choices.ts'
import type { WeekWindow } from '#kit/domain/week-window.ts'
import { isAsked } from './asked-holders.ts'
import type { ReachQuery } from './query.ts'
import { reachCte } from './reach.ts'

/** One reason why one credential opens one door. */
export interface Right {
  readonly itemKey: string
  readonly kind: CredentialKind
  readonly number?: string
  readonly userId?: Id
  readonly staffId?: Id
  readonly holderName?: string
  readonly doorwayId: Id
  readonly doorwayName: string
  readonly source: RightSource
  readonly sourceName?: string
  readonly place?: string
  readonly fromDate?: Day
  readonly untilDate?: Day
  readonly windows?: readonly WeekWindow[]
}

type StoredRight = Omit<Right, 'kind' | 'source'> & { readonly kind: number; readonly source: number }

const rightOf = ({ kind, source, ...row }: StoredRight): Right => ({
  ...row,
  kind: defined(keyOf(credentialKind, kind)),
  source: defined(keyOf(rightSource, source)),
})

interface Limits {
  readonly size: number
  readonly offset: number
}

const selected = sql`r.item_key, r.kind, r.number, r.user_id, r.staff_id, r.holder_name, r.doorway_id,
  d.doorway_name, r.source, r.source_name, r.place, r.from_date, r.until_date, r.windows`

/** The rights that are asked for, each with its door. */
const askedRights = (query: ReachQuery) => sql`
  from reach r
  join doorway d on d.owner_id = ${query.ownerId} and d.id = r.doorway_id
  where ${isAsked(query, [sql`d.doorway_name`])}
`

export async function findRights(db: Db, query: ReachQuery, limits?: Limits): Promise<Right[]> {
  const rows = await db.rows<StoredRight>(sql`
    with ${reachCte(query)}
    select ${selected} ${askedRights(query)}
    order by d.doorway_name, r.holder_name, r.item_key, r.source, r.place
    ${limits ? sql`limit ${limits.size} offset ${limits.offset}` : sql``}
  `)
  return rows.map(rightOf)
}

export async function countRights(db: Db, query: ReachQuery): Promise<number> {
  const found = await db.one<{ total: number }>(sql`
    with ${reachCte(query)}
    select count(*)::integer as total ${askedRights(query)}
  `)
  return defined(found).total
}
