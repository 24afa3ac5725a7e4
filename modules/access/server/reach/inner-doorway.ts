import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { passageDirection } from '../../contract/choices.ts'
import type { Sql } from './query.ts'

/** Of a door `d`: it is a building's, behind the gates of a project that has any. */
export const isInner = (ownerId: Id): Sql => sql`(
  d.build_code is not null
  and exists (
    select 1
    from doorway g
    where g.owner_id = ${ownerId}
      and g.project_code = d.project_code
      and g.build_code is null
      and g.state = ${code(enabledState, 'on')}
      and ${notDeleted('g')}
  )
)`

interface PassedDoorway {
  readonly id: Id
  readonly isOneWay: boolean
  readonly isInner: boolean
}

/** What doors that somebody passed are like, in any state. */
export async function findPassedDoorways(
  tx: Tx,
  ownerId: Id,
  passages: readonly { readonly doorwayId: Id }[],
): Promise<ReadonlyMap<Id, PassedDoorway>> {
  const rows = await tx.rows<PassedDoorway>(sql`
    select d.id, d.direction <> ${code(passageDirection, 'both')} as is_one_way,
      ${isInner(ownerId)} as is_inner
    from doorway d
    where d.owner_id = ${ownerId} and d.id = any(${passages.map(each => each.doorwayId)}::bigint[])
  `)
  return new Map(rows.map(row => [row.id, row]))
}
