import './definitions.ts'
import './ending.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { desk } from './desk.ts'
import { billImporter } from './import.ts'
import { meterFeeHandlers } from './meter-fee.ts'
import { poolHandlers } from './pool.ts'
import { repriceAllHandlers, repriceJob } from './reprice-job.ts'
import { repriceHandlers } from './reprice.ts'
import { lastBillHandlers } from './run-last.ts'
import { nightly } from './run-nightly.ts'
import { generateJob, runHandlers } from './run.ts'
import { temporaryHandlers } from './temporary.ts'
import { undoHandlers, undoJob } from './run-undo.ts'

const imports = importHandlers(billImporter)

export const server: ServerModule = {
  handlers: [
    ...desk.handlers,
    ...runHandlers,
    ...undoHandlers,
    ...repriceHandlers,
    ...repriceAllHandlers,
    ...lastBillHandlers,
    ...temporaryHandlers,
    ...poolHandlers,
    ...imports.handlers,
    ...meterFeeHandlers,
  ],
  jobs: [...desk.jobs, generateJob, repriceJob, undoJob, imports.job],
  crons: [...desk.crons, nightly],
}
