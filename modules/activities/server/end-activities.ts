import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { activity } from '../contract/activity.ts'
import { activityState } from '../contract/choices.ts'

/** Activities whose end has passed; may run any number of times. */
export async function endActivities(app: App): Promise<void> {
  const now = fromInstant(app.clock())
  const isOver = sql`
    ${notDeleted()} and state = ${code(activityState, 'published')} and end_time < ${now}::timestamptz
  `
  const due = sql<{ ownerId: Id }>`select distinct owner_id from activity where ${isOver}`
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const ended = await tx.rows<{ id: Id }>(sql`
      update activity
      set state = ${code(activityState, 'ended')}, top_sort = 0, ${touch(clockScope(app, ownerId))}
      where owner_id = ${ownerId} and ${isOver}
      returning id
    `)
    const ids = ended.map(({ id }) => id)
    publishRecordsWritten(tx, ownerId, { entity: activity.name, action: 'update', ids })
  })
}

export const endCron = defineCron({ name: 'activities-end', schedule: '*/5 * * * *', run: endActivities })
