import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { code } from '#kit/server/sql.ts'
import { deliveryState } from '../contract/webhook.ts'
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

export const deleteOldDeliveries = defineCron({
  name: 'webhook-deliveries',
  schedule: '35 3 * * *',
  run: async ({ database, clock }) => {
    const before = new Date(clock() - integrationSettings.webhookLogDays.read() * dayMs)
    const isOld = sql`create_time < ${before} and state <> ${code(deliveryState, 'pending')}`
    await forEachDueCompany(
      database,
      sql<{ ownerId: Id }>`select distinct owner_id from webhook_delivery where ${isOld}`,
      (tx, ownerId) => tx.execute(sql`delete from webhook_delivery where owner_id = ${ownerId} and ${isOld}`),
    )
  },
})
