import { PrinterOutlined } from '@ant-design/icons'
import { Suspense, lazy, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { codeOf } from '#kit/contract/field.ts'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { findScreen } from '#kit/web/screen-registry.ts'
import type { Action } from '#kit/web/action.tsx'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { buildColumns, type Column } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import type { SelectedRows } from '#kit/web/list/selection.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { importBills } from '../contract/import.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { exportBills, exportUnpaid, listBills, getBill, type BillFilter } from '../contract/list.ts'
import { printPaymentNotices } from '../contract/reminder.ts'
import { menu } from '../module.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import { useBillActions } from './bill-actions.tsx'
import { openPrintPage } from './print.ts'
import { BillEquation, BillStatus, billName, statusText, findActionRefusal } from './labels.tsx'
import './bills.css'

const BillDetail = lazyComponent(() => import('./bill-detail.tsx').then(m => m.BillDetail))

const TemporaryDialog = lazy(() =>
  import('./temporary-dialog.tsx').then(m => ({ default: m.TemporaryDialog })),
)

const PrepayDialog = lazy(() => import('./prepay-dialog.tsx').then(m => ({ default: m.PrepayDialog })))
const cashierPath = '/finance/chargemanage/cashier'
const paymentsPath = '/finance/chargemanage/paidbills'
const periodText = (b: Bill): string => formatPeriod(b.beginDate, b.endDate)
const overdueText = (b: Bill): string => (b.overdueDays ? `${b.overdueDays} 天` : '--')

const listColumns: readonly Column<Bill>[] = buildColumns(listBills.output, [
  { key: 'sourceName', title: '房号', identity: true, width: 132, grow: 1 },
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
  { key: 'discountAmount', title: '减免', wideOnly: true },
  { key: 'paidPrincipal', title: '已缴', hidePriority: 1 },
  { key: 'lateFeeUnpaid', title: '违约金', hidePriority: 2 },
  { key: 'unpaid', title: '未缴合计', strong: true },
  {
    key: 'status',
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
  'partly',
  'discounted',
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
  { id: 'part', name: '部分缴纳', filter: { partly: true } },
  { id: 'paid', name: '已缴', filter: { payState: ['paid'] } },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'gone', name: '已作废', filter: { state: ['abolished'] } },
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
  { id: 'part', name: '部分缴纳', filter: { partly: true } },
  { id: 'never', name: '没催过', filter: { overdue: true, urgeCountTo: 0 } },
  { id: 'disputed', name: '有争议', filter: { disputed: true } },
]

const listKinds = {
  all: { views: allViews, fixed: undefined, filters, export: exportBills, name: 'bills/all' },
  unpaid: {
    views: openViews,
    fixed: { payState: ['unpaid'], state: ['normal'] } as Partial<BillFilter>,
    filters: filters.filter(f => f !== 'payState' && f !== 'state'),
    export: exportUnpaid,
    name: 'bills/unpaid',
  },
} as const

const detailGroups = [
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

/** Prints what is ticked, or all that the filter finds: 2,000 bills at most. */
const printAction: BatchAction<Bill, BillFilter> = {
  label: '打印缴费单',
  icon: <PrinterOutlined />,
  needs: menu.bill.permissions.print,
  acceptsAllMatching: true,
  run: (t: SelectedRows<Bill, BillFilter>) => {
    const most = t.allMatching ? 2000 : 1000
    if (t.count > most) {
      toast.warning(
        `一次最多打印 ${formatCount(most)} 张账单，${t.allMatching ? '请缩小筛选范围' : '更多请用「选择全部」'}`,
      )
      return
    }
    openPrintPage(printPaymentNotices, t.allMatching ? t.allMatching.filter : { ids: t.ids })
  },
}

function BillList({ kind }: { readonly kind: keyof typeof listKinds }) {
  const k = listKinds[kind]
  const deeds = useBillActions()
  const navigate = useNavigate()
  const project = useProject()
  const [adding, setAdding] = useState<'temporary' | 'prepay'>()
  const batch = useMemo(() => {
    const [first, ...rest] = deeds.batch
    const [recover] = deeds.abolished
    const [audit] = deeds.pending
    return kind === 'unpaid'
      ? [first, ...rest.slice(0, 2), printAction, ...rest.slice(2)]
      : [first, ...rest.slice(0, 2), printAction, ...rest.slice(2, 4), recover, audit, ...rest.slice(4)]
  }, [kind, deeds])
  /** The cashier is another module's screen: offered where it is installed, to whom it is open. */
  const collect = (b: Bill, label: string): readonly Action[] => {
    const till = findScreen(cashierPath)
    return till && b.state === 'normal' && b.payState === 'unpaid'
      ? [
          {
            label,
            needs: till.needs,
            disabledReason: findActionRefusal('pay', b),
            run: () =>
              navigate(
                `${cashierPath}?type=${codeOf(sourceType, b.sourceType)}&code=${encodeURIComponent(b.sourceCode)}`,
              ),
          },
        ]
      : []
  }
  /** What a paid bill leads to: its payments, where that screen is installed and open. */
  const paidBy = (b: Bill): readonly Action[] => {
    const at = findScreen(paymentsPath)
    return at && (b.payState === 'paid' || b.paidPrincipal > 0)
      ? [
          {
            label: '看收款',
            needs: at.needs,
            run: () => navigate(`${paymentsPath}?keyword=${encodeURIComponent(b.sourceName)}`),
          },
        ]
      : []
  }
  const see = (b: Bill) => ({
    label: '看催缴',
    needs: menu.notice.permissions.view,
    run: () => navigate(`/finance/chargemanage/demandmoney?keyword=${encodeURIComponent(b.sourceName)}`),
  })
  return (
    <>
      <ListPage
        list={listBills}
        itemName="账单"
        settingsKey={k.name}
        columns={listColumns}
        keywordPlaceholder="房号、姓名、手机、车牌、单号"
        fixedFilter={k.fixed}
        filters={k.filters}
        barFilters={['buildCode', 'feeItemId', 'belongMonth']}
        views={k.views}
        export={k.export}
        rowActions={b =>
          b.payState === 'paid'
            ? [...paidBy(b), ...deeds.row(b), see(b)]
            : [...collect(b, '收款'), ...deeds.row(b), ...paidBy(b), see(b)]
        }
        batchActions={batch}
        unselectableReason={b => (b.paying ? '账单正在支付中，支付完成或关闭支付单后再操作' : undefined)}
        isDimmed={b => b.state === 'abolished' || b.state === 'split'}
        import={kind === 'all' && project ? importBills : undefined}
        importInput={{ projectCode: project }}
        primaryAction={
          kind === 'all' && {
            label: '生成账单',
            needs: menu.bill.permissions.generate,
            run: () => navigate('/finance/chargemanage/chargeList/generate'),
          }
        }
        toolbarActions={
          kind === 'all'
            ? [
                {
                  label: '临时费用',
                  needs: menu.bill.permissions.temporary,
                  run: () => setAdding('temporary'),
                },
                { label: '预缴', needs: menu.bill.permissions.prepay, run: () => setAdding('prepay') },
                {
                  label: '查重复账单',
                  needs: menu.bill.permissions.view,
                  run: () => navigate('/finance/chargemanage/redundantbills'),
                },
              ]
            : []
        }
        drawer={{
          title: billName,
          status: b => <BillStatus of={b} long />,
          summary: b => <BillEquation of={b} />,
          loadCall: getBill as never,
          groups: detailGroups as never,
          afterGroups: b => <BillDetail of={b as never} />,
          historyEntity: bill.name,
          actions: b => [
            ...(b.payState === 'paid' ? paidBy(b) : collect(b, `收款 ${displayYuan(b.unpaid, true)}`)),
            ...deeds.drawer(b),
            ...(b.payState === 'paid' ? [] : paidBy(b)),
            {
              label: '打印缴费单',
              needs: menu.bill.permissions.print,
              run: () => openPrintPage(printPaymentNotices, { ids: [String(b.id)] }),
            },
          ],
        }}
      />
      {deeds.dialog}
      {adding && (
        <Suspense>
          {adding === 'temporary' ? (
            <TemporaryDialog onClose={() => setAdding(undefined)} />
          ) : (
            <PrepayDialog onClose={() => setAdding(undefined)} />
          )}
        </Suspense>
      )}
    </>
  )
}

export const BillsPage = () => <BillList kind="all" />
export const UnpaidPage = () => <BillList kind="unpaid" />
