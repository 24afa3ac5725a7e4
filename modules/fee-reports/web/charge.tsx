import { Segmented } from 'antd'
import { useLocation, useNavigate } from 'react-router'
import { billSummary, shouldCollect, waiting } from '../contract/owed.ts'
import { received } from '../contract/received.ts'
import { refunds } from '../contract/refund.ts'
import { ReportPage, type ReportScreen } from './report-page.tsx'
import type { Filter } from './way.ts'
import { anyBills, bills, refundTrades, trades, unpaid } from './ways.ts'

const path = '/finance/reportCenter/financialManagement/charge'
const none = (): Filter => ({})

const ages = [
  'ageOpen',
  'ageMonth',
  'ageTwo',
  'ageQuarter',
  { key: 'ageHalf', roomy: true },
  { key: 'ageYear', roomy: true },
  { key: 'ageMore', roomy: true },
  { key: 'ageLong', roomy: true },
  { key: 'ageBarred', roomy: true },
]

/** The reports of one screen, in the order of its choice. */
const screens: Readonly<Record<string, Omit<ReportScreen, 'path'>>> = {
  received: {
    of: received,
    span: 'payDay',
    bar: ['payDay', 'cashierId', 'buildCode'],
    above: ['received', 'refunded', 'net'],
    way: trades,
  },
  should: {
    of: shouldCollect,
    span: 'dueDate',
    first: none,
    bar: ['dueDate', 'feeItemId', 'buildCode'],
    above: ['receivable', 'paid', 'unpaid'],
    way: bills,
  },
  waiting: {
    of: waiting,
    span: 'dueDate',
    first: none,
    bar: ['dueDate', 'feeItemId', 'buildCode'],
    entries: by => ['count', 'unpaid', { key: 'lateFee', drop: 2 }, 'overdue', ...(by === 'age' ? [] : ages)],
    above: ['unpaid', 'overdue', 'ageBarred'],
    way: unpaid,
  },
  refunds: {
    of: refunds,
    span: 'payDay',
    bar: ['payDay', 'cashierId', 'buildCode'],
    above: ['amount'],
    way: refundTrades,
  },
  bills: {
    of: billSummary,
    span: 'dueDate',
    first: none,
    bar: ['dueDate', 'feeItemId', 'state'],
    above: ['receivable', 'paid', 'unpaid'],
    way: anyBills,
  },
}

const titles: Readonly<Record<string, string>> = {
  received: '已收',
  should: '应收',
  waiting: '待收',
  refunds: '退款',
  bills: '账单',
}

/** 收费报表: what was taken, should be taken, waits, went back. */
export default function ChargePage() {
  const at = useLocation()
  const navigate = useNavigate()
  const asked = new URLSearchParams(at.search).get('report') ?? ''
  const now = screens[asked] ? asked : 'received'
  const head = (
    <Segmented
      size="small"
      aria-label="报表"
      value={now}
      options={Object.keys(screens).map(value => ({ value, label: titles[value] }))}
      onChange={v => void navigate(`${path}?report=${v}`, { replace: true })}
    />
  )
  return <ReportPage key={now} {...screens[now]!} path={path} head={head} mark={`report=${now}`} />
}
