import { meters } from '../contract/usage.ts'
import { meterWay } from './ways-usage.ts'
import { ReportPage } from './report-page.tsx'

const entries = [
  'count',
  { key: 'estimated', drop: 1 },
  { key: 'doubtful', drop: 1 },
  'cold',
  { key: 'hot', drop: 2 },
  'power',
  'gas',
  { key: 'heat', drop: 3 },
  { key: 'reclaimed', drop: 3 },
  'receivable',
  { key: 'paid', drop: 1 },
  'unpaid',
]

/** 抄表报表: what was read and what was billed of it. */
export default function MeterPage() {
  return (
    <ReportPage
      of={meters}
      path="/finance/reportCenter/financialManagement/meter"
      span="month"
      bar={['month', 'meterKind', 'buildCode']}
      above={['count', 'receivable', 'unpaid']}
      way={meterWay}
      entries={entries}
    />
  )
}
