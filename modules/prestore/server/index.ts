import './personal-data.ts'
import './move-step.ts'
import './receipt-lines.ts'
import './tender.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { accountHandlers } from './account.ts'
import { entryHandlers } from './entry.ts'
import { settingHandlers } from './setting.ts'
import { topUpHandlers } from './top-up.ts'
import { deductionHandlers } from './deduction.ts'
import { onlineTopUpHandlers } from './online-top-up.ts'
import { nightlyCron } from './nightly-job.ts'
import { transferHandlers } from './transfer.ts'
import { accountExport, entryExport, summaryHandlers } from './summary.ts'
import { workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

export const server: ServerModule = {
  companyData,
  queues: workQueues,
  handlers: [
    ...accountHandlers,
    ...entryHandlers,
    ...settingHandlers,
    ...topUpHandlers,
    ...onlineTopUpHandlers,
    ...deductionHandlers,
    ...transferHandlers,
    ...summaryHandlers,
    ...accountExport.handlers,
    ...entryExport.handlers,
  ],
  jobs: [accountExport.job, entryExport.job],
  crons: [nightlyCron],
}
