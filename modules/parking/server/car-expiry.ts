import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { car } from '../contract/car.ts'
import { carState } from '../contract/car-labels.ts'

/** C10.1: normal cars past their last day are expired. May run any number of times. Uses car_due. */
export async function expireCars(app: App): Promise<void> {
  const today = dayOfInstant(app.clock())
  const isDue = sql`${notDeleted()} and car_state = ${code(carState, 'normal')} and end_date < ${today}::date`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from car where ${isDue}`
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const scope = clockScope(app, ownerId)
    const expired = await tx.rows<{ id: Id; projectCode: string }>(sql`
      update car
      set car_state = ${code(carState, 'expired')}, ${touch(scope)}
      where owner_id = ${ownerId} and ${isDue}
      returning id, project_code
    `)
    const change = { action: 'state', entity: car.name, before: { carState: 'normal' } } as const
    await audit(
      tx,
      scope,
      expired.map(({ id, projectCode }) => ({
        ...change,
        entityId: id,
        projectCode,
        after: { carState: 'expired' },
        reason: '有效期已过',
      })),
    )
    const ids = expired.map(({ id }) => id)
    publishRecordsWritten(tx, ownerId, { entity: car.name, action: 'update', ids })
  })
}

export const carExpiryCron = defineCron({
  name: 'parking-cars',
  schedule: '3 0 * * *',
  run: expireCars,
})
