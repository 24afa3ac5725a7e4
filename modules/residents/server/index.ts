import './guards.ts'
import './parts.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { blockHandlers } from './block.ts'
import { cardHandlers } from './card.ts'
import { residentExport } from './export.ts'
import { residentImporter } from './import.ts'
import { listHandlers } from './list.ts'
import { mergeHandlers } from './merge.ts'
import { moveHandlers } from './move.ts'
import { panelHandlers } from './panel.ts'
import { residencyHandlers } from './residency.ts'
import { residentHandlers } from './resident.ts'
import { statisticsHandlers } from './statistics.ts'

const residentImport = importHandlers(residentImporter)

export const server: ServerModule = {
  handlers: [...listHandlers, ...residentHandlers, ...mergeHandlers, ...residencyHandlers, ...moveHandlers, ...blockHandlers, ...cardHandlers, ...statisticsHandlers, ...panelHandlers, ...residentImport.handlers, ...residentExport.handlers],
  jobs: [residentImport.job, residentExport.job],
}
