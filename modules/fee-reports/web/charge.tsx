import { listTrades } from '#modules/payments/contract/record.ts'
import { received } from '../contract/received.ts'
import { ReportPage } from './report-page.tsx'
import { narrowed, type From, type Way } from './way.ts'

const path = '/finance/reportCenter/financialManagement/charge'
const last = (key: string): string => key.split('/').at(-1)!
const only: Readonly<Record<string, (key: string, f: From) => object | undefined>> = {
  item: key => ({ feeItem: Number(key) }), day: (key, f) => narrowed('payDay', f.asked, key), month: (key, f) => narrowed('payDay', f.asked, key), build: key => ({ buildCode: [last(key)] }), source: key => ({ roomCode: last(key) }), cashier: key => ({ cashierId: [key] }),
}
/** Lines of records stand in 交易中心: the same wall, the same filter. */
const trades: Way = {
  path: '/finance/chargemanage/tradingcenter', list: listTrades,
  filter: f => { const { by: _, keyword: __, ...asked } = f.asked, more = f.row ? only[f.by]?.(f.row.key!, f) : {}; return more && { ...asked, ...more } },
  figures: { refunded: { recordType: ['refund'] }, received: { recordType: ['payment', 'deduction'] } },
}
/** 收费报表: what was taken for bills. */
export default function ChargePage() {
  return <ReportPage of={received} path={path} span="payDay" bar={['payDay', 'cashierId', 'buildCode']} above={['received', 'refunded', 'net']} way={trades} />
}
