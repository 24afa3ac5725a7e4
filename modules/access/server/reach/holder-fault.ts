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

/** Why the holder of a credential that is in order opens nothing; nothing where it lies with the rights. */
export async function holderFault(
  db: Db,
  query: ReachQuery & { readonly key: string },
): Promise<string | undefined> {
  const found = await db.one<HolderState>(sql`
    with ${holderCte({ ...query, keys: [query.key] })}
    select
      coalesce(p.state <> ${code(residentState, 'normal')} or not ${notDeleted('p')}, false) as is_cancelled,
      exists (select 1 from blocked b where b.user_id = c.user_id) as is_blocked,
      coalesce(not a.is_current, false) as is_away,
      coalesce(s.state = ${code(staffState, 'left')} or not ${notDeleted('s')}, false) as is_resigned
    from credential c
    left join resident p on p.owner_id = ${query.ownerId} and p.id = c.user_id
    left join staff s on s.owner_id = ${query.ownerId} and s.id = c.staff_id
    left join attachment a on a.user_id = c.user_id
    limit 1
  `)
  if (!found) return undefined
  if (found.isBlocked) return '持有人在黑名单中'
  if (found.isCancelled) return '持有人已注销'
  if (found.isResigned) return '员工已离职'
  return found.isAway ? '持有人已迁出、租期已满或已离职' : undefined
}
