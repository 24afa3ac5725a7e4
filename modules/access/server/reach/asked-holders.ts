import { sql } from '#kit/server/db.ts'
import { contains } from '#kit/server/table.ts'
import { secretKeyPattern } from '#modules/devices/server/public.ts'
import type { ReachQuery, Sql } from './query.ts'

/**
 * Of `reach r`: of the residents whom the caller sees alone (PERM-6), and by a part of a name or number; of a
 * code by the whole of it. `names`: what else the word may be a part of.
 */
export const isAsked = (
  { ownerId, seenResidents = [], keyword }: ReachQuery,
  names: readonly Sql[] = [],
): Sql => sql`
  true
  ${
    seenResidents.length
      ? sql`
          and (
            r.user_id is null
            or r.user_id in (
              select t.id
              from resident t
              where t.owner_id = ${ownerId} and ${sql.join([...seenResidents], sql` and `)}
            )
          )
        `
      : sql``
  }
  ${
    keyword
      ? sql`and (
          ${sql.join(
            [sql`r.holder_name`, ...names].map(name => contains(name, keyword)),
            sql` or `,
          )}
          or (${contains(sql`r.number`, keyword)} and r.item_key !~ ${secretKeyPattern})
          or r.number = ${keyword}
        )`
      : sql``
  }
`
