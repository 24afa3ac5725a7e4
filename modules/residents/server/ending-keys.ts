import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { faceKey, identityCard } from '../contract/card.ts'
import { cardState, faceState } from '../contract/labels.ts'

type Sql = RawBuilder<unknown>

/** Cards `t` of a project that have not ended yet. */
export const unendedCards = ({ ownerId }: Pick<Scope, 'ownerId'>, projectCode: string): Sql => sql`
  t.owner_id = ${ownerId}
  and t.project_code = ${projectCode}
  and ${notDeleted('t')}
  and t.state in ${codes(cardState, 'normal', 'lost', 'expired')}
`

/** Faces `t` of some people in a project: `holders` selects their ids. */
export const enrolledFaces = (
  { ownerId }: Pick<Scope, 'ownerId'>,
  projectCode: string,
  holders: Sql,
): Sql => sql`
  t.owner_id = ${ownerId}
  and t.project_code = ${projectCode}
  and ${notDeleted('t')}
  and t.state <> ${code(faceState, 'deleted')}
  and t.user_id in (${holders})
`

/** Ends the cards of a condition on `t`. */
export async function endCards(tx: Tx, scope: Scope, condition: Sql, reason: string): Promise<void> {
  const ended = await tx.rows<{ id: Id }>(sql`
    update identity_card t
    set state = ${code(cardState, 'ended')}, end_reason = ${reason}, ${touch(scope, 't')}
    where ${condition}
    returning t.id
  `)
  const ids = ended.map(({ id }) => id)
  publishRecordsWritten(tx, scope.ownerId, { entity: identityCard.name, action: 'update', ids })
}

/** Deletes the faces of a condition on `t`, from the devices too. */
export async function deleteFaces(tx: Tx, scope: Scope, condition: Sql): Promise<void> {
  const deleted = await tx.rows<{ id: Id }>(sql`
    update face_key t
    set state = ${code(faceState, 'deleted')}, ${touch(scope, 't')}
    where ${condition}
    returning t.id
  `)
  const ids = deleted.map(({ id }) => id)
  publishRecordsWritten(tx, scope.ownerId, { entity: faceKey.name, action: 'update', ids })
}
