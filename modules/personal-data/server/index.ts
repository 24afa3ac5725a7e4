import './personal-data.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { companyData } from './company-data.ts'
import { erasureHandlers } from './erasure.ts'
import { executeHandlers } from './execute.ts'
import { mentionHandlers } from './mention-handlers.ts'
import { personHandlers } from './person-handlers.ts'
import { reapplyJournal } from './reapply.ts'
import { retentionCron } from './retention.ts'
import { retentionHandlers } from './retention-handlers.ts'

export const server: ServerModule = {
  companyData,
  handlers: [
    ...personHandlers,
    ...erasureHandlers,
    ...mentionHandlers,
    ...executeHandlers,
    ...retentionHandlers,
  ],
  crons: [retentionCron],
  onStart: reapplyJournal,
}
