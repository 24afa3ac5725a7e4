import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { residentState } from '#modules/residents/contract/labels.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import type { ReachQuery } from './query.ts'
import { holderCte } from './reach.ts'

interface HolderState {
  readonly isCancelled: boolean
  readonly isBlocked: boolean
  readonly isAway: boolean
  readonly isResigned: boolean
}

const faultOf = ({ isBlocked, isCancelled, isResigned, isAway }: HolderState): string | undefined => {
  if (isBlocked) return '持有人在黑名单中'
  if (isCancelled) return '持有人已注销'
  if (isResigned) return '员工已离职'
  return isAway ? '持有人已迁出、租期已满或已离职' : undefined
}

/** Why holders of credentials that are in order open nothing, by key; none where it lies with the rights. */
export async function findHolderFaults(
  db: Db,
  query: ReachQuery & { readonly keys: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (!query.keys.length) return new Map()
  const found = await db.rows<HolderState & { readonly itemKey: string }>(sql`
    with ${holderCte(query)}
    select c.item_key,
      coalesce(p.state <> ${code(residentState, 'normal')} or not ${notDeleted('p')}, false) as is_cancelled,
      exists (select 1 from blocked b where b.user_id = c.user_id) as is_blocked,
      coalesce(not a.is_current, false) as is_away,
      coalesce(s.state = ${code(staffState, 'left')} or not ${notDeleted('s')}, false) as is_resigned
    from credential c
    left join resident p on p.owner_id = ${query.ownerId} and p.id = c.user_id
    left join staff s on s.owner_id = ${query.ownerId} and s.id = c.staff_id
    left join attachment a on a.user_id = c.user_id
  `)
  return new Map(
    found.flatMap(row => {
      const fault = faultOf(row)
      return fault === undefined ? [] : [[row.itemKey, fault] as const]
    }),
  )
}

/** The same of one. */
export const holderFault = async (
  db: Db,
  query: ReachQuery & { readonly key: string },
): Promise<string | undefined> => (await findHolderFaults(db, { ...query, keys: [query.key] })).get(query.key)
