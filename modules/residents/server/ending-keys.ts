import type { Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { onStaffLeft } from '#modules/staff/server/public.ts'
import { faceKey, identityCard } from '../contract/card.ts'
import { cardState, faceState } from '../contract/labels.ts'

type Sql = RawBuilder<unknown>

/** Cards `t` of a company that have not ended yet. */
const unended = ({ ownerId }: Pick<Scope, 'ownerId'>): Sql => sql`
  t.owner_id = ${ownerId}
  and ${notDeleted('t')}
  and t.state in ${codes(cardState, 'normal', 'lost', 'expired')}
`

/** Those of a project. */
export const unendedCards = (scope: Pick<Scope, 'ownerId'>, projectCode: string): Sql =>
  sql`${unended(scope)} and t.project_code = ${projectCode}`

/** Faces `t` of a company that are not deleted. */
const enrolled = ({ ownerId }: Pick<Scope, 'ownerId'>): Sql => sql`
  t.owner_id = ${ownerId}
  and ${notDeleted('t')}
  and t.state <> ${code(faceState, 'deleted')}
`

/** Faces `t` of some people in a project: `holders` selects their ids. */
export const enrolledFaces = (scope: Pick<Scope, 'ownerId'>, projectCode: string, holders: Sql): Sql => sql`
  ${enrolled(scope)}
  and t.project_code = ${projectCode}
  and t.user_id in (${holders})
`

const maxReason = 200

interface EndingKey {
  readonly id: Id
  readonly projectCode: string
  readonly state: number
}

/** Ends the cards of a condition on `t`, and says why in their history. */
export async function endCards(tx: Tx, scope: Scope, condition: Sql, reason: string): Promise<void> {
  const { ownerId } = scope
  const ending = await tx.rows<EndingKey>(sql`
    select t.id, t.project_code, t.state
    from identity_card t
    where ${condition}
    order by t.id
    for update
  `)
  if (!ending.length) return
  const ids = ending.map(({ id }) => id)
  const shownReason = [...reason].slice(0, maxReason).join('')
  await tx.execute(sql`
    update identity_card
    set state = ${code(cardState, 'ended')}, end_reason = ${shownReason}, ${touch(scope)}
    where owner_id = ${ownerId} and id = any(${ids}::bigint[])
  `)
  await audit(
    tx,
    scope,
    ending.map(({ id, projectCode, state }) => ({
      action: 'state',
      entity: identityCard.name,
      entityId: id,
      projectCode,
      before: { state: keyOf(cardState, state) },
      after: { state: 'ended' },
      reason,
    })),
  )
  publishRecordsWritten(tx, scope.ownerId, { entity: identityCard.name, action: 'update', ids })
}

/** Deletes the faces of a condition on `t`, from the devices too, and says why in their history. */
export async function deleteFaces(tx: Tx, scope: Scope, condition: Sql, reason: string): Promise<void> {
  const { ownerId } = scope
  const ending = await tx.rows<EndingKey>(sql`
    select t.id, t.project_code, t.state
    from face_key t
    where ${condition}
    order by t.id
    for update
  `)
  if (!ending.length) return
  const ids = ending.map(({ id }) => id)
  await tx.execute(sql`
    update face_key
    set state = ${code(faceState, 'deleted')}, ${touch(scope)}
    where owner_id = ${ownerId} and id = any(${ids}::bigint[])
  `)
  await audit(
    tx,
    scope,
    ending.map(({ id, projectCode, state }) => ({
      action: 'state',
      entity: faceKey.name,
      entityId: id,
      projectCode,
      before: { state: keyOf(faceState, state) },
      after: { state: 'deleted' },
      reason,
    })),
  )
  publishRecordsWritten(tx, scope.ownerId, { entity: faceKey.name, action: 'update', ids })
}

// BASE-16: of the company's own people, everywhere; who comes back gets others.
onStaffLeft(async (tx, scope, staffIds, reason) => {
  const ofStaff = sql`t.staff_id = any(${[...staffIds]}::bigint[])`
  const staffReason = `员工${reason}`
  await endCards(tx, scope, sql`${unended(scope)} and ${ofStaff}`, staffReason)
  await deleteFaces(tx, scope, sql`${enrolled(scope)} and ${ofStaff}`, staffReason)
})
