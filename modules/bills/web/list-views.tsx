import { buildColumns, type Column } from '#kit/web/columns.tsx'
import { type Bill } from '../contract/bill.ts'
import { exportBills, exportUnpaid, listBills, type BillFilter } from '../contract/list.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import { BillStatus, statusText } from './labels.tsx'
import './bills.css'

const periodText = (b: Bill): string => formatPeriod(b.beginDate, b.endDate)
const overdueText = (b: Bill): string => (b.overdueDays ? `${b.overdueDays} 天` : '--')

export const listColumns: readonly Column<Bill>[] = buildColumns(listBills.output, [
  { key: 'sourceName', identity: true, width: 132, grow: 1 },
  { key: 'payerName', width: 76, grow: 1, hidePriority: 3 },
  { key: 'payerMobile', hiddenByDefault: true },
  { key: 'feeItemName', width: 88, grow: 1 },
  {
    key: 'period',
    title: '账期',
    width: 100,
    fitContent: true,
    align: 'left',
    sortKey: 'beginDate',
    render: periodText,
    text: periodText,
  },
  { key: 'dueDate', title: '应缴日' },
  {
    key: 'overdueDays',
    title: '逾期',
    hidePriority: 2,
    sortKey: undefined,
    align: 'right',
    render: b => <span className={(b.overdueDays ?? 0) > 90 ? 'bill-late' : ''}>{overdueText(b)}</span>,
    text: overdueText,
  },
  { key: 'receivable' },
  { key: 'discountAmount', wideOnly: true },
  { key: 'paidPrincipal', hidePriority: 1 },
  { key: 'lateFeeUnpaid', title: '违约金', hidePriority: 2 },
  { key: 'unpaid', strong: true },
  {
    key: 'status',
    keepInView: true,
    title: '状态',
    width: 110,
    grow: 0,
    align: 'left',
    render: b => <BillStatus of={b} />,
    text: statusText,
  },
  { key: 'billNo', hiddenByDefault: true },
  { key: 'batchNo', hiddenByDefault: true },
  { key: 'billSource', hiddenByDefault: true },
  { key: 'payTime', hiddenByDefault: true },
  { key: 'lastUrgeTime', hiddenByDefault: true },
  { key: 'urgeCount', hiddenByDefault: true },
  { key: 'remark', hiddenByDefault: true },
])

const filters = [
  'buildCode',
  'feeItemId',
  'belongMonth',
  'dueDate',
  'payState',
  'state',
  'overdue',
  'isPartlyPaid',
  'discounted',
  'feesOnly',
  'locked',
  'sourceType',
  'standardId',
  'billSource',
  'batchNo',
  'receivable',
  'unpaid',
  'beginDate',
  'endDate',
  'refundState',
  'invoiceState',
  'isPre',
  'disputed',
  'promiseDate',
  'urgeCount',
  'payTime',
  'createTime',
]

const allViews = [
  { id: '', name: '待缴', filter: { payState: ['unpaid'] } },
  { id: 'late', name: '逾期', filter: { overdue: true } },
  { id: 'part', name: '部分缴纳', filter: { isPartlyPaid: true } },
  { id: 'paid', name: '已缴', filter: { payState: ['paid'] } },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'abolished', name: '已作废', filter: { state: ['abolished'] } },
  { id: 'split', name: '已拆分', filter: { state: ['split'] } },
  { id: 'off', name: '已核销', filter: { state: ['writtenOff'] } },
  { id: 'paying', name: '支付中', filter: { locked: true } },
  { id: 'disputed', name: '有争议', filter: { disputed: true } },
  { id: 'any', name: '所有状态', filter: { anyState: true } },
]

const openViews = [
  { id: '', name: '全部未缴', filter: {} },
  { id: 'late', name: '逾期', filter: { overdue: true } },
  { id: 'd90', name: '逾期 90 天以上', filter: { overdueDaysFrom: 91 } },
  { id: 'part', name: '部分缴纳', filter: { isPartlyPaid: true } },
  { id: 'never', name: '未催缴', filter: { overdue: true, urgeCountTo: 0 } },
  { id: 'disputed', name: '有争议', filter: { disputed: true } },
]

export const listKinds = {
  all: { views: allViews, fixed: undefined, filters, export: exportBills, name: 'bills/all' },
  unpaid: {
    views: openViews,
    fixed: { payState: ['unpaid'], state: ['normal'] } as Partial<BillFilter>,
    filters: filters.filter(f => f !== 'payState' && f !== 'state'),
    export: exportUnpaid,
    name: 'bills/unpaid',
  },
} as const

export const detailGroups = [
  {
    title: '基本信息',
    keys: [
      'billNo',
      { key: 'period', label: '账期', render: (b: Bill) => `${b.beginDate} 至 ${b.endDate}` },
      'payerName',
      'dueDate',
      'payerMobile',
      'batchNo',
      'billSource',
      'invoiceState',
      'promiseDate',
      'disputed',
      'payTime',
      'abolishTime',
      'abolishReason',
      'remark',
    ],
  },
] as const
