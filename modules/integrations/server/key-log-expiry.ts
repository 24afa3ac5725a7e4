import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { integrationSettings } from './settings.ts'

const dayMs = 86_400_000

export const deleteOldCalls = defineCron({
  name: 'key-calls',
  schedule: '25 3 * * *',
  run: async ({ database, clock }) => {
    const before = new Date(clock() - integrationSettings.keyLogDays.read() * dayMs)
    const isOld = sql`create_time < ${before}`
    await forEachDueCompany(
      database,
      sql<{ ownerId: Id }>`select distinct owner_id from api_key_call where ${isOld}`,
      (tx, ownerId) => tx.execute(sql`delete from api_key_call where owner_id = ${ownerId} and ${isOld}`),
    )
  },
})
