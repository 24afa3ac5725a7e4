import type { ServerModule } from '#kit/server/handle.ts'
import type { Report } from '../contract/report.ts'
import { received } from '../contract/received.ts'
import { tillDays, tillMonths } from '../contract/till.ts'
import { receivedSource } from './received.ts'
import { reportExport } from './report-export.ts'
import { reportHandler, type Source } from './report.ts'
import { tillCron, tillHandlers, tillSource } from './till.ts'

/** Every report with the statement that answers it; a further one is one line here. */
const sources: readonly (readonly [Report, Source])[] = [[tillDays, tillSource], [tillMonths, tillSource], [received, receivedSource]]
const exports = sources.map(([r, s]) => reportExport(r, s))
export const server: ServerModule = { handlers: [...tillHandlers, ...sources.map(([r, s]) => reportHandler(r, s)), ...exports.flatMap(e => e.handlers)], jobs: exports.map(e => e.job), crons: [tillCron] }
