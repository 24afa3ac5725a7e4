import { feeMonth, feeMonths, feeSummary, generateSummary, summaryBy, summaryMonthBy } from './month.ts'
import { billBy, billSummary, shouldCollect, summaryBillBy, waiting, waitingBy } from './owed.ts'
import { furtherCalls, furtherChoices, furtherReports } from './further.ts'
import { refundBy, refunds } from './refund.ts'
import { received, receivedBy } from './received.ts'
import { chargeStatistic } from './statistic.ts'
import { fcSummary, moneyKind, monthBy, rebuildDay, tillBy, tillDays, tillMonths } from './till.ts'

/** Every report; a further one is one line here. */
export const reports = [
  tillDays,
  tillMonths,
  received,
  refunds,
  shouldCollect,
  waiting,
  billSummary,
  feeSummary,
  feeMonths,
  ...furtherReports,
]

export const contract = {
  calls: [
    chargeStatistic,
    rebuildDay,
    generateSummary,
    ...furtherCalls,
    ...reports.flatMap(r => [r.list, ...r.export.calls]),
  ],
  entities: [fcSummary, feeMonth],
  choices: [
    moneyKind,
    tillBy,
    monthBy,
    receivedBy,
    summaryBy,
    summaryMonthBy,
    billBy,
    summaryBillBy,
    waitingBy,
    refundBy,
    ...furtherChoices,
  ],
}
