import { shiftMonth } from '#kit/domain/month.ts'
import { meterMonths } from '../contract/usage.ts'
import { meterMonthWay } from './ways-usage.ts'
import { ReportPage } from './report-page.tsx'

const entries = [
  'due',
  'read',
  'left',
  'rate',
  { key: 'estimated', drop: 2 },
  { key: 'doubtful', drop: 1 },
  'billed',
  'cold',
  { key: 'hot', drop: 2 },
  'power',
  'gas',
  { key: 'heat', drop: 3 },
  { key: 'reclaimed', drop: 3 },
]

const six = (day: string) => ({ monthFrom: shiftMonth(day.slice(0, 7), -5), monthTo: day.slice(0, 7) })

/** 抄表月度汇总: how much of each month was read. */
export default function MeterMonthsPage() {
  return (
    <ReportPage
      of={meterMonths}
      path="/finance/reportCenter/financialManagement/metermonthsummary"
      span="month"
      first={six}
      bar={['month', 'meterKind', 'buildCode']}
      above={['due', 'read', 'left']}
      way={meterMonthWay}
      entries={entries}
    />
  )
}
