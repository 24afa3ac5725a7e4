import { parking } from '../contract/parking.ts'
import { selectParkingDrilldown } from './drilldowns-parking.ts'
import { paths } from './paths.ts'
import { ReportPage } from './report-page.tsx'

const reportColumns = [
  'count',
  'receivable',
  { key: 'discount', hidePriority: 1 },
  'paid',
  { key: 'lateFee', hidePriority: 1 },
  'unpaid',
  'overdue',
  'rate',
]

const thisYear = (day: string) => ({
  belongMonthFrom: `${day.slice(0, 4)}-01`,
  belongMonthTo: day.slice(0, 7),
})

/** 停车报表: bills of parking places and cars, by car park. */
export default function ParkingPage() {
  return (
    <ReportPage
      report={parking}
      path={paths.parking}
      dateFilter="belongMonth"
      defaultFilter={thisYear}
      barFilters={['belongMonth', 'park', 'feeItemId']}
      topTotals={['receivable', 'paid', 'unpaid', 'overdue']}
      drilldowns={selectParkingDrilldown}
      columns={reportColumns}
    />
  )
}
