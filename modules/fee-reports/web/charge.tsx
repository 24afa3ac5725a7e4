import { billSummary, receivables, unpaidBills } from '../contract/receivable.ts'
import { received } from '../contract/received.ts'
import { refunds } from '../contract/refund.ts'
import { ReportSwitch, type SwitchableReport } from './report-switch.tsx'
import type { Filter } from './drilldown.ts'
import {
  anyBillsDrilldown,
  billsDrilldown,
  refundTradesDrilldown,
  tradesDrilldown,
  unpaidDrilldown,
} from './drilldowns.ts'
import { paths } from './paths.ts'

const createEmptyFilter = (): Filter => ({})

const ageColumns = [
  'ageOpen',
  'ageMonth',
  'ageDays60',
  'ageQuarter',
  { key: 'ageDays180', wideOnly: true },
  { key: 'ageYear', wideOnly: true },
  { key: 'ageYears2', wideOnly: true },
  { key: 'ageYears3', wideOnly: true },
  { key: 'ageTimeBarred', wideOnly: true },
]

const reportScreens: Readonly<Record<string, SwitchableReport>> = {
  received: {
    label: '已收',
    report: received,
    dateFilter: 'payDay',
    barFilters: ['payDay', 'cashierId', 'buildCode'],
    topTotals: ['received', 'refunded', 'net'],
    drilldowns: tradesDrilldown,
  },
  should: {
    label: '应收',
    report: receivables,
    dateFilter: 'dueDate',
    defaultFilter: createEmptyFilter,
    barFilters: ['dueDate', 'feeItemId', 'buildCode'],
    topTotals: ['receivable', 'paid', 'unpaid'],
    drilldowns: billsDrilldown,
  },
  waiting: {
    label: '待收',
    report: unpaidBills,
    dateFilter: 'dueDate',
    defaultFilter: createEmptyFilter,
    barFilters: ['dueDate', 'feeItemId', 'buildCode'],
    columns: by => [
      'count',
      'unpaid',
      { key: 'lateFee', hidePriority: 2 },
      'overdue',
      ...(by === 'age' ? [] : ageColumns),
    ],
    topTotals: ['unpaid', 'overdue', 'ageTimeBarred'],
    drilldowns: unpaidDrilldown,
  },
  refunds: {
    label: '退款',
    report: refunds,
    dateFilter: 'payDay',
    barFilters: ['payDay', 'cashierId', 'buildCode'],
    topTotals: ['amount'],
    drilldowns: refundTradesDrilldown,
  },
  bills: {
    label: '账单',
    report: billSummary,
    dateFilter: 'dueDate',
    defaultFilter: createEmptyFilter,
    barFilters: ['dueDate', 'feeItemId', 'state'],
    topTotals: ['receivable', 'paid', 'unpaid'],
    drilldowns: anyBillsDrilldown,
  },
}

/** 收费报表: received, receivable, unpaid, refunded. */
export default function ChargePage() {
  return <ReportSwitch path={paths.charge} reports={reportScreens} />
}
