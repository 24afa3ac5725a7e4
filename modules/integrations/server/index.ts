import { joinServers } from '#kit/server/crud.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { apiKeyServers } from './api-key.ts'
import { deleteOldCalls } from './key-log-expiry.ts'
import { apiKeyAccess, flushKeyUse } from './key-use.ts'

export const server: ServerModule = {
  ...joinServers(...apiKeyServers, {
    handlers: [],
    crons: [deleteOldCalls],
    intervals: [defineInterval({ name: 'key-use', everyMs: 1_000, run: flushKeyUse })],
  }),
  apiKeys: apiKeyAccess,
  monthlyTables: ['api_key_call'],
}
