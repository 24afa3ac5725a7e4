import { defined } from '#kit/domain/defined.ts'
import { Segmented } from 'antd'
import { useLocation, useNavigate } from 'react-router'
import { billSummary, receivables, unpaidBills } from '../contract/receivable.ts'
import { received } from '../contract/received.ts'
import { refunds } from '../contract/refund.ts'
import { ReportPage, type ReportScreen } from './report-page.tsx'
import type { Filter } from './drilldown.ts'
import {
  anyBillsDrilldown,
  billsDrilldown,
  refundTradesDrilldown,
  tradesDrilldown,
  unpaidDrilldown,
} from './drilldowns.ts'

const chargePath = '/finance/reportCenter/financialManagement/charge'
const createEmptyFilter = (): Filter => ({})

const ageColumns = [
  'ageOpen',
  'ageMonth',
  'ageTwo',
  'ageQuarter',
  { key: 'ageHalf', wideOnly: true },
  { key: 'ageYear', wideOnly: true },
  { key: 'ageMore', wideOnly: true },
  { key: 'ageLong', wideOnly: true },
  { key: 'ageBarred', wideOnly: true },
]

/** The reports of one screen, in the order of its choice. */
const reportScreens: Readonly<Record<string, Omit<ReportScreen, 'path'>>> = {
  received: {
    of: received,
    span: 'payDay',
    bar: ['payDay', 'cashierId', 'buildCode'],
    above: ['received', 'refunded', 'net'],
    drilldowns: tradesDrilldown,
  },
  should: {
    of: receivables,
    span: 'dueDate',
    defaultFilter: createEmptyFilter,
    bar: ['dueDate', 'feeItemId', 'buildCode'],
    above: ['receivable', 'paid', 'unpaid'],
    drilldowns: billsDrilldown,
  },
  waiting: {
    of: unpaidBills,
    span: 'dueDate',
    defaultFilter: createEmptyFilter,
    bar: ['dueDate', 'feeItemId', 'buildCode'],
    entries: by => [
      'count',
      'unpaid',
      { key: 'lateFee', hidePriority: 2 },
      'overdue',
      ...(by === 'age' ? [] : ageColumns),
    ],
    above: ['unpaid', 'overdue', 'ageBarred'],
    drilldowns: unpaidDrilldown,
  },
  refunds: {
    of: refunds,
    span: 'payDay',
    bar: ['payDay', 'cashierId', 'buildCode'],
    above: ['amount'],
    drilldowns: refundTradesDrilldown,
  },
  bills: {
    of: billSummary,
    span: 'dueDate',
    defaultFilter: createEmptyFilter,
    bar: ['dueDate', 'feeItemId', 'state'],
    above: ['receivable', 'paid', 'unpaid'],
    drilldowns: anyBillsDrilldown,
  },
}

const reportTitles: Readonly<Record<string, string>> = {
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
  const now = reportScreens[asked] ? asked : 'received'
  const head = (
    <Segmented
      size="small"
      aria-label="报表"
      value={now}
      options={Object.keys(reportScreens).map(value => ({ value, label: reportTitles[value] }))}
      onChange={v => void navigate(`${chargePath}?report=${v}`, { replace: true })}
    />
  )
  return (
    <ReportPage
      key={now}
      {...defined(reportScreens[now])}
      path={chargePath}
      head={head}
      mark={`report=${now}`}
    />
  )
}
