import type { ServerModule } from '#kit/server/handle.ts'
import type { Report } from '../contract/report.ts'
import { received } from '../contract/received.ts'
import { tillDays, tillMonths } from '../contract/till.ts'
import { feeMonths, feeSummary } from '../contract/month.ts'
import { monthCron, monthHandlers, monthSource, monthsSource } from './month.ts'
import { billSummary, shouldCollect, waiting } from '../contract/owed.ts'
import { refunds } from '../contract/refund.ts'
import { billsSource, shouldSource, waitingSource } from './owed.ts'
import { refundSource } from './refund.ts'
import { receivedSource } from './received.ts'
import { reportExport } from './report-export.ts'
import { reportHandler, type Source } from './report.ts'
import { furtherHandlers, furtherSources } from './further.ts'
import { pulseCron, statisticHandlers } from './statistic.ts'
import { tillCron, tillHandlers, tillSource } from './till.ts'

/** Every report with the statement that answers it; a further one is one line here. */
const sources: readonly (readonly [Report, Source])[] = [
  [tillDays, tillSource],
  [tillMonths, tillSource],
  [received, receivedSource],
  [refunds, refundSource],
  [shouldCollect, shouldSource],
  [waiting, waitingSource],
  [billSummary, billsSource],
  [feeSummary, monthSource],
  [feeMonths, monthsSource],
  ...furtherSources,
]

const exports = sources.map(([r, s]) => reportExport(r, s))

export const server: ServerModule = {
  handlers: [
    ...statisticHandlers,
    ...tillHandlers,
    ...monthHandlers,
    ...furtherHandlers,
    ...sources.map(([r, s]) => reportHandler(r, s)),
    ...exports.flatMap(e => e.handlers),
  ],
  jobs: exports.map(e => e.job),
  crons: [tillCron, monthCron, pulseCron],
}
