import { shiftMonth, monthOf } from '#kit/domain/month.ts'
import type { Day } from '#kit/domain/day.ts'
import { meterMonths } from '../contract/meter.ts'
import { meterMonthDrilldown } from './drilldowns-meter.ts'
import { ReportPage } from './report-page.tsx'
import { paths } from './paths.ts'

const reportColumns = [
  'due',
  'read',
  'left',
  'rate',
  { key: 'estimated', hidePriority: 2 },
  { key: 'doubtful', hidePriority: 1 },
  'billed',
  'cold',
  { key: 'hot', hidePriority: 2 },
  'power',
  'gas',
  { key: 'heat', hidePriority: 3 },
  { key: 'reclaimed', hidePriority: 3 },
]

const lastSixMonths = (day: Day) => ({
  monthFrom: shiftMonth(monthOf(day), -5),
  monthTo: monthOf(day),
})

/** 抄表月度汇总: how much of each month was read. */
export default function MeterMonthsPage() {
  return (
    <ReportPage
      report={meterMonths}
      path={paths.meterMonths}
      dateFilter="month"
      defaultFilter={lastSixMonths}
      barFilters={['month', 'meterKind', 'buildCode']}
      topTotals={['due', 'read', 'left']}
      drilldowns={meterMonthDrilldown}
      columns={reportColumns}
    />
  )
}
