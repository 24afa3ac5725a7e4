import './personal-data.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import type { Report } from '../contract/report.ts'
import { received } from '../contract/received.ts'
import { dailyCollections, monthlyCollections } from '../contract/daily-collection.ts'
import { feeMonths, feeSummary } from '../contract/month.ts'
import { carryOverCron, generateSummaryHandler } from './month.ts'
import { monthSource, monthlySource } from './month-source.ts'
import { billSummary, receivables, unpaidBills } from '../contract/receivable.ts'
import { refunds } from '../contract/refund.ts'
import { billSummarySource, receivablesSource, unpaidBillsSource } from './receivable.ts'
import { refundSource } from './refund.ts'
import { receivedSource } from './received.ts'
import { createReportExport } from './report-export.ts'
import { createReportHandler } from './report.ts'
import type { ReportSource } from './report-source.ts'
import { otherSources } from './other-reports.ts'
import { sourceBillTotalsHandler } from './room.ts'
import { chargeStatisticHandler } from './statistic.ts'
import { statisticCron } from './statistic-refresh.ts'
import { dailyCollectionCron, rebuildDayHandler, dailyCollectionSource } from './daily-collection.ts'
import { companyData } from './company-data.ts'

/** Every report with its source; a further one is one line here. */
export const reportSources: readonly (readonly [Report, ReportSource])[] = [
  [dailyCollections, dailyCollectionSource],
  [monthlyCollections, dailyCollectionSource],
  [received, receivedSource],
  [refunds, refundSource],
  [receivables, receivablesSource],
  [unpaidBills, unpaidBillsSource],
  [billSummary, billSummarySource],
  [feeSummary, monthSource],
  [feeMonths, monthlySource],
  ...otherSources,
]

const reportExports = reportSources.map(([report, source]) => createReportExport(report, source))

export const server: ServerModule = {
  companyData,
  handlers: [
    chargeStatisticHandler,
    rebuildDayHandler,
    generateSummaryHandler,
    sourceBillTotalsHandler,
    ...reportSources.map(([report, source]) => createReportHandler(report, source)),
    ...reportExports.flatMap(e => e.handlers),
  ],
  jobs: reportExports.map(e => e.job),
  crons: [dailyCollectionCron, carryOverCron, statisticCron],
}
