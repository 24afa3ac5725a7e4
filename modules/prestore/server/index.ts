import './about.ts'
import './purse.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { accountHandlers } from './account.ts'
import { deductHandlers, nightly } from './deduct.ts'
import { accountExport, entryExport, summaryHandlers } from './summary.ts'

export const server: ServerModule = { handlers: [...accountHandlers, ...deductHandlers, ...summaryHandlers, ...accountExport.handlers, ...entryExport.handlers], jobs: [accountExport.job, entryExport.job], crons: [nightly] }
