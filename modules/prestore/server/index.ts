import './about.ts'
import './purse.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { accountHandlers } from './account.ts'
import { deductHandlers } from './deduct.ts'
import { onlineHandlers } from './online.ts'
import { nightly } from './night.ts'
import { transferHandlers } from './transfer.ts'
import { accountExport, entryExport, summaryHandlers } from './summary.ts'

export const server: ServerModule = {
  handlers: [
    ...accountHandlers,
    ...onlineHandlers,
    ...deductHandlers,
    ...transferHandlers,
    ...summaryHandlers,
    ...accountExport.handlers,
    ...entryExport.handlers,
  ],
  jobs: [accountExport.job, entryExport.job],
  crons: [nightly],
}
