import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { visitState } from '../contract/choices.ts'
import { invitation } from '../contract/invitation.ts'
import { inviteVisitor } from '../contract/visitor.ts'

const waiting = codes(visitState, 'pending', 'passed')
const expired = code(visitState, 'expired')

async function expireIn(app: App, tx: Tx, ownerId: Id): Promise<number> {
  const now = fromInstant(app.clock())
  const scope = clockScope(app, ownerId)
  const publish = (entity: string, rows: readonly { readonly id: Id }[]): void =>
    publishRecordsWritten(tx, ownerId, { entity, action: 'update', ids: rows.map(({ id }) => id) })
  const isOver = sql`owner_id = ${ownerId} and ${notDeleted()} and state in ${waiting}
    and end_time < ${now}::timestamptz`
  const visitors = await tx.rows<{ id: Id }>(sql`
    update invite_visitor set state = ${expired}, ${touch(scope)} where ${isOver} returning id
  `)
  const rows = await tx.rows<{ id: Id }>(sql`
    update visitor_invitation set state = ${expired}, stage = null, ${touch(scope)} where ${isOver} returning id
  `)
  publish(inviteVisitor.name, visitors)
  publish(invitation.name, rows)
  return rows.length
}

/** VIS-6: who did not come in time comes no more. May run any number of times. */
export async function expireInvitations(app: App): Promise<void> {
  const now = fromInstant(app.clock())
  const due = sql<{ ownerId: Id }>`
    select distinct owner_id
    from invite_visitor
    where ${notDeleted()} and state in ${waiting} and end_time < ${now}::timestamptz
  `
  await forEachDueCompany(app.database, due, (tx, ownerId) => expireIn(app, tx, ownerId))
}
