import './personal-data.ts'
import './project-removal.ts'
import './room-debts.ts'
import './price-dependents.ts'
import './end-charge.ts'
import './bill-approval-effects.ts'
import './arrears-audience.ts'
import './misfit-bills.ts'
import './paid-move-step.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { followUpHandlers } from './follow-up-handlers.ts'
import { gapHandlers } from './gaps.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { billHandlers } from './bill-handlers.ts'
import { debtorExport, debtorHandlers } from './debtors.ts'
import { billImporter } from './import.ts'
import { meterFeeHandlers } from './meter-fee.ts'
import { poolHandlers } from './pool.ts'
import { repriceAllHandlers, repriceJob } from './reprice-job.ts'
import { repriceHandlers } from './reprice.ts'
import { lastBillHandlers } from './last-bill.ts'
import { nightlyRunCron } from './run-nightly.ts'
import { generateJob, runHandlers } from './run.ts'
import { temporaryHandlers } from './temporary.ts'
import { undoRunHandlers, undoRunJob } from './run-undo.ts'
import { menuCounts, workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

const billImport = importHandlers(billImporter)

export const server: ServerModule = {
  companyData,
  queues: workQueues,
  menuCounts,
  handlers: [
    ...billHandlers.handlers,
    ...debtorHandlers,
    ...debtorExport.handlers,
    ...runHandlers,
    ...undoRunHandlers,
    ...repriceHandlers,
    ...repriceAllHandlers,
    ...lastBillHandlers,
    ...followUpHandlers,
    ...gapHandlers,
    ...temporaryHandlers,
    ...poolHandlers,
    ...billImport.handlers,
    ...meterFeeHandlers,
  ],
  jobs: [...billHandlers.jobs, generateJob, repriceJob, undoRunJob, billImport.job, debtorExport.job],
  crons: [...billHandlers.crons, nightlyRunCron],
}
