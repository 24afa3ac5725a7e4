import { parking } from '../contract/parking.ts'
import { parkingPath, selectParkingDrilldown } from './drilldowns-parking.ts'
import { ReportPage } from './report-page.tsx'

const listEntries = [
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
      of={parking}
      path={parkingPath}
      span="belongMonth"
      defaultFilter={thisYear}
      bar={['belongMonth', 'park', 'feeItemId']}
      above={['receivable', 'paid', 'unpaid', 'overdue']}
      drilldowns={selectParkingDrilldown}
      entries={listEntries}
    />
  )
}
