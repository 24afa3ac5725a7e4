import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { publishDeparture } from '#modules/residents/server/public.ts'
import type { Company } from '../contract/company.ts'

/** BASE-16: cards, faces and codes of workers end with the work, as those of residents with the home. */
export async function endAccessOf(
  tx: Tx,
  scope: Scope,
  company: Pick<Company, 'id' | 'name' | 'projectCode'>,
  userIds: readonly (Id | undefined)[],
  today: Day,
): Promise<void> {
  const present = userIds.filter(id => id !== undefined)
  if (!present.length) return
  const rooms = await tx.rows<{ roomId: Id }>(sql`
    select distinct room_id
    from company_room
    where owner_id = ${scope.ownerId} and company_id = ${company.id}
  `)
  await publishDeparture(tx, scope, {
    projectCode: company.projectCode,
    userIds: present,
    roomIds: rooms.map(({ roomId }) => roomId),
    today,
    reason: `已从企业「${company.name}」离职`,
  })
}
