import { trade } from '../contract/trade.ts'
import { tradeDrilldown } from './drilldowns-trade.ts'
import { ReportPage } from './report-page.tsx'

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
      path="/finance/reportCenter/financialManagement/trade"
      dateFilter="payDay"
      barFilters={['payDay', 'recordType', 'payMethod']}
      topTotals={['received', 'refunded', 'net']}
      drilldowns={tradeDrilldown}
      columns={reportColumns}
    />
  )
}
