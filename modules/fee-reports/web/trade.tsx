import { trade } from '../contract/trade.ts'
import { tradeDrilldown } from './drilldowns-trade.ts'
import { ReportPage } from './report-page.tsx'
import { paths } from './paths.ts'

const reportColumns = [
  'count',
  'received',
  'refunded',
  'net',
  'principal',
  { key: 'lateFee', hidePriority: 1 },
  'rest',
  { key: 'offset', hidePriority: 1 },
  { key: 'roundOff', hidePriority: 2 },
]

/** 交易报表: every payment, refund, top-up, deposit and deduction. */
export default function TradePage() {
  return (
    <ReportPage
      report={trade}
      path={paths.trade}
      dateFilter="payDay"
      barFilters={['payDay', 'recordType', 'payMethod']}
      topTotals={['received', 'refunded', 'net']}
      drilldowns={tradeDrilldown}
      columns={reportColumns}
    />
  )
}
