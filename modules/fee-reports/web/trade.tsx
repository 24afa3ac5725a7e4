import { trade } from '../contract/trade.ts'
import { tradeWay } from './ways-trade.ts'
import { ReportPage } from './report-page.tsx'

const entries = [
  'count',
  'received',
  'refunded',
  'net',
  'principal',
  { key: 'lateFee', drop: 1 },
  'rest',
  { key: 'offset', drop: 1 },
  { key: 'roundOff', drop: 2 },
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
      way={tradeWay}
      entries={entries}
    />
  )
}
