import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { apiKeyServers } from './api-key.ts'
import { apiKeyAccess, closeKeyUse, flushKeyUse } from './key-use.ts'
import { deleteOldCalls, deleteOldDeliveries } from './log-expiry.ts'
import { webhookServers } from './webhook.ts'
import { deliverEvents, stopSending } from './webhook-delivery.ts'
import { companyData } from './company-data.ts'

export const server: ServerModule = {
  companyData,
  ...joinServers(...apiKeyServers, ...webhookServers, {
    handlers: [],
    crons: [deleteOldCalls, deleteOldDeliveries],
    intervals: [
      defineInterval({ name: 'key-use', everyMs: 1_000, run: flushKeyUse }),
      defineInterval({ name: 'webhooks', everyMs: 500, run: deliverEvents }),
    ],
  }),
  apiKeys: apiKeyAccess,
  monthlyTables: ['api_key_call'],
  onClose: async app => {
    await stopSending(app)
    await closeKeyUse(app)
  },
}
