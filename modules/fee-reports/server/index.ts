import type { ServerModule } from '#kit/server/handler.ts'
import type { Report } from '../contract/report.ts'
import { received } from '../contract/received.ts'
import { tillDays, tillMonths } from '../contract/till.ts'
import { feeMonths, feeSummary } from '../contract/month.ts'
import { carryOverCron, monthHandlers, monthSource, monthlySource } from './month.ts'
import { billSummary, receivables, unpaidBills } from '../contract/receivable.ts'
import { refunds } from '../contract/refund.ts'
import { billSummarySource, receivablesSource, unpaidBillsSource } from './receivable.ts'
import { refundSource } from './refund.ts'
import { receivedSource } from './received.ts'
import { createReportExport } from './report-export.ts'
import { createReportHandler, type ReportSource } from './report.ts'
import { otherHandlers, otherSources } from './other-reports.ts'
import { statisticCron, statisticHandlers } from './statistic.ts'
import { tillCron, tillHandlers, tillSource } from './till.ts'

/** Every report with the statement that answers it; a further one is one line here. */
const reportSources: readonly (readonly [Report, ReportSource])[] = [
  [tillDays, tillSource],
  [tillMonths, tillSource],
  [received, receivedSource],
  [refunds, refundSource],
  [receivables, receivablesSource],
  [unpaidBills, unpaidBillsSource],
  [billSummary, billSummarySource],
  [feeSummary, monthSource],
  [feeMonths, monthlySource],
  ...otherSources,
]

const reportExports = reportSources.map(([r, s]) => createReportExport(r, s))

export const server: ServerModule = {
  handlers: [
    ...statisticHandlers,
    ...tillHandlers,
    ...monthHandlers,
    ...otherHandlers,
    ...reportSources.map(([r, s]) => createReportHandler(r, s)),
    ...reportExports.flatMap(e => e.handlers),
  ],
  jobs: reportExports.map(e => e.job),
  crons: [tillCron, carryOverCron, statisticCron],
}
