import { meterReadings } from '../contract/meter.ts'
import { meterDrilldown } from './drilldowns-meter.ts'
import { ReportPage } from './report-page.tsx'
import { paths } from './paths.ts'

const reportColumns = [
  'count',
  { key: 'estimated', hidePriority: 1 },
  { key: 'doubtful', hidePriority: 1 },
  'cold',
  { key: 'hot', hidePriority: 2 },
  'power',
  'gas',
  { key: 'heat', hidePriority: 3 },
  { key: 'reclaimed', hidePriority: 3 },
  'receivable',
  { key: 'paid', hidePriority: 1 },
  'unpaid',
]

/** 抄表报表: what was read and what was billed of it. */
export default function MeterPage() {
  return (
    <ReportPage
      report={meterReadings}
      path={paths.meter}
      dateFilter="month"
      barFilters={['month', 'meterKind', 'buildCode']}
      topTotals={['count', 'receivable', 'unpaid']}
      drilldowns={meterDrilldown}
      columns={reportColumns}
    />
  )
}
