import './personal-data.ts'
import './project-removal.ts'
import './dependents.ts'
import './hand-over.ts'
import './moving.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { meterHandlers } from './meter.ts'
import { meterRemovalHandlers } from './meter-removal.ts'
import { meterExport, readingExport, monthSheetHandlers } from './export.ts'
import { gridHandlers } from './month-grid.ts'
import { readingImporter } from './reading-import.ts'
import { meterImporter } from './meter-import.ts'
import { labelHandlers, labelJobs } from './qr-labels.ts'
import { planHandlers } from './plan.ts'
import { readingHandlers } from './reading.ts'
import { readingRemovalHandlers } from './reading-removal.ts'
import { replaceHandlers } from './replacement.ts'
import { mainLossHandler } from './main-losses.ts'
import { reportHandlers } from './report.ts'
import { smartHandlers } from './smart.ts'
import { standardHandlers } from './standard.ts'
import { workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

const meterImport = importHandlers(meterImporter)
const readingImport = importHandlers(readingImporter)

export const server: ServerModule = {
  companyData,
  queues: workQueues,
  handlers: [
    ...meterHandlers,
    ...meterRemovalHandlers,
    ...replaceHandlers,
    ...standardHandlers,
    ...planHandlers,
    ...readingHandlers,
    ...readingRemovalHandlers,
    ...gridHandlers,
    ...reportHandlers,
    mainLossHandler,
    ...smartHandlers,
    ...monthSheetHandlers,
    ...labelHandlers,
    ...meterImport.handlers,
    ...meterExport.handlers,
    ...readingImport.handlers,
    ...readingExport.handlers,
  ],
  jobs: [...labelJobs, meterImport.job, meterExport.job, readingImport.job, readingExport.job],
}
