import { trade } from '../contract/trade.ts'
import { tradeDrilldown } from './drilldowns-trade.ts'
import { ReportPage } from './report-page.tsx'

const listEntries = [
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
      of={trade}
      path="/finance/reportCenter/financialManagement/trade"
      span="payDay"
      bar={['payDay', 'recordType', 'payMethod']}
      above={['received', 'refunded', 'net']}
      drilldowns={tradeDrilldown}
      entries={listEntries}
    />
  )
}
