import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { residencyChange } from '../contract/labels.ts'

/**
 * What a link of a home depends on: the mobile of its person (BASE-14) and how often they moved in again, as
 * nothing of before comes back with the home (BASE-12).
 */
export async function residencyLinkFacts(db: Db, ownerId: Id, residencyId: Id): Promise<string> {
  const found = await db.one<{ mobile?: string; returns: number }>(sql`
    select p.mobile, (
        select count(*)::integer
        from user_room_log g
        where g.owner_id = ${ownerId}
          and g.link_id = l.id
          and g.action = ${code(residencyChange, 'backIn')}
      ) as returns
    from user_room l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId} and l.id = ${residencyId}
  `)
  return `${found?.mobile ?? ''} ${found?.returns ?? 0}`
}
