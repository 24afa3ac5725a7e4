import './personal-data.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { companyData } from './company-data.ts'
import { erasureHandlers } from './erasure.ts'
import { personHandlers } from './person-handlers.ts'
import { retentionCron } from './retention.ts'
import { retentionHandlers } from './retention-handlers.ts'

export const server: ServerModule = {
  companyData,
  handlers: [...personHandlers, ...erasureHandlers, ...retentionHandlers],
  crons: [retentionCron],
}
