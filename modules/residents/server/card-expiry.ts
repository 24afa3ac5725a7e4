import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { identityCard } from '../contract/card.ts'
import { cardState } from '../contract/labels.ts'

/** ACS-1, ACS-4: cards past their last day, within a minute of it. May run any number of times. */
export async function expireCards(app: App): Promise<void> {
  const today = dayOfInstant(app.clock())
  const isDue = sql`${notDeleted()} and state = ${code(cardState, 'normal')} and end_date < ${today}::date`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from identity_card where ${isDue}`
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const expired = await tx.rows<{ id: Id }>(sql`
      update identity_card
      set state = ${code(cardState, 'expired')}, ${touch(clockScope(app, ownerId))}
      where owner_id = ${ownerId} and ${isDue}
      returning id
    `)
    const ids = expired.map(({ id }) => id)
    publishRecordsWritten(tx, ownerId, { entity: identityCard.name, action: 'update', ids })
  })
}

export const cardExpiryCron = defineCron({
  name: 'residents-cards',
  schedule: '* * * * *',
  run: expireCards,
})
