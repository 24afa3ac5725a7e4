import { parking } from '../contract/park.ts'
import { parkPath, parkWay } from './ways-park.ts'
import { ReportPage } from './report-page.tsx'

const entries = [
  'count',
  'receivable',
  { key: 'discount', drop: 1 },
  'paid',
  { key: 'lateFee', drop: 1 },
  'unpaid',
  'overdue',
  'rate',
]

const year = (day: string) => ({ belongMonthFrom: `${day.slice(0, 4)}-01`, belongMonthTo: day.slice(0, 7) })

/** 停车报表: bills of parking places and cars, by car park. */
export default function ParkPage() {
  return (
    <ReportPage
      of={parking}
      path={parkPath}
      span="belongMonth"
      first={year}
      bar={['belongMonth', 'park', 'feeItemId']}
      above={['receivable', 'paid', 'unpaid', 'overdue']}
      way={parkWay}
      entries={entries}
    />
  )
}
