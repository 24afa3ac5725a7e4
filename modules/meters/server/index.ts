import './guards.ts'
import './moves.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { meterHandlers } from './device.ts'
import { meterExport, readingExport, sheetHandlers } from './export.ts'
import { gridHandlers } from './grid.ts'
import { readingImporter } from './import-readings.ts'
import { meterImporter } from './import.ts'
import { labelHandlers } from './labels.ts'
import { planHandlers } from './plans.ts'
import { readingHandlers } from './reading.ts'
import { replaceHandlers } from './replace.ts'
import { reportHandlers } from './report.ts'
import { smartHandlers } from './smart.ts'
import { standardHandlers } from './standard.ts'

const meterImport = importHandlers(meterImporter)
const readingImport = importHandlers(readingImporter)

export const server: ServerModule = {
  handlers: [
    ...meterHandlers,
    ...replaceHandlers,
    ...standardHandlers,
    ...planHandlers,
    ...readingHandlers,
    ...gridHandlers,
    ...reportHandlers,
    ...smartHandlers,
    ...sheetHandlers,
    ...labelHandlers,
    ...meterImport.handlers,
    ...meterExport.handlers,
    ...readingImport.handlers,
    ...readingExport.handlers,
  ],
  jobs: [meterImport.job, meterExport.job, readingImport.job, readingExport.job],
}
