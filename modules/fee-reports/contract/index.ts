import { feeMonth, feeMonths, feeSummary, generateSummary, summaryBy, summaryMonthBy } from './month.ts'
import { billBy, billSummary, receivables, summaryBillBy, unpaidBills, unpaidBy } from './receivable.ts'
import { otherCalls, otherChoices, otherReports } from './other-reports.ts'
import { refundBy, refunds } from './refund.ts'
import { received, receivedBy } from './received.ts'
import { getChargeStatistic } from './statistic.ts'
import { fcSummary, moneyKind, tillMonthBy, rebuildDay, tillBy, tillDays, tillMonths } from './till.ts'

/** Every report; a further one is one line here. */
export const reports = [
  tillDays,
  tillMonths,
  received,
  refunds,
  receivables,
  unpaidBills,
  billSummary,
  feeSummary,
  feeMonths,
  ...otherReports,
]

export const contract = {
  base: 'finance/v1',
  calls: [
    getChargeStatistic,
    rebuildDay,
    generateSummary,
    ...otherCalls,
    ...reports.flatMap(r => [r.list, ...r.export.calls]),
  ],
  entities: [fcSummary, feeMonth],
  choices: [
    moneyKind,
    tillBy,
    tillMonthBy,
    receivedBy,
    summaryBy,
    summaryMonthBy,
    billBy,
    summaryBillBy,
    unpaidBy,
    refundBy,
    ...otherChoices,
  ],
}
