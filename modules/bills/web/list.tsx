import { PrinterOutlined } from '@ant-design/icons'
import { Suspense, lazy, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { codeOf } from '#kit/contract/field.ts'
import { count, yuan } from '#kit/web/figure.tsx'
import { screenAt } from '#kit/web/screens.ts'
import type { Verb } from '#kit/web/verb.tsx'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { columns, type Column } from '#kit/web/columns.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Batch } from '#kit/web/list/batch-bar.tsx'
import type { Ticked } from '#kit/web/list/selection.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { importBills } from '../contract/import.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { exportBills, exportUnpaid, listBills, oneBill, type BillAsk } from '../contract/list.ts'
import { printBills } from '../contract/urge.ts'
import { menu } from '../module.ts'
import { periodWords } from '../domain/row.ts'
import { useDeeds } from './deeds.tsx'
import { openPrint } from './print.ts'
import { BillEquation, BillStatus, billName, statusText, whyNot } from './words.tsx'
import './bills.css'

const BillStory = later(() => import('./story.tsx').then(m => m.BillStory))

const TemporaryDialog = lazy(() =>
  import('./temporary-dialog.tsx').then(m => ({ default: m.TemporaryDialog })),
)

const PrepayDialog = lazy(() => import('./prepay-dialog.tsx').then(m => ({ default: m.PrepayDialog })))
const cashier = '/finance/chargemanage/cashier'
const records = '/finance/chargemanage/paidbills'
const period = (b: Bill): string => periodWords(b.beginDate, b.endDate)
const days = (b: Bill): string => (b.overdueDays ? `${b.overdueDays} 天` : '--')

const shown: readonly Column<Bill>[] = columns(listBills.output, [
  { key: 'sourceName', title: '房号', identity: true, width: 132, grow: 1 },
  { key: 'payerName', width: 76, grow: 1, drop: 3 },
  { key: 'payerMobile', aside: true },
  { key: 'feeItemName', width: 88, grow: 1 },
  {
    key: 'period',
    title: '账期',
    width: 100,
    fit: true,
    align: 'left',
    sort: 'beginDate',
    render: period,
    text: period,
  },
  { key: 'dueDate', title: '应缴日' },
  {
    key: 'overdueDays',
    title: '逾期',
    drop: 2,
    sort: undefined,
    align: 'right',
    render: b => <span className={(b.overdueDays ?? 0) > 90 ? 'bill-late' : ''}>{days(b)}</span>,
    text: days,
  },
  { key: 'receivable' },
  { key: 'discountAmount', title: '减免', roomy: true },
  { key: 'paidPrincipal', title: '已缴', drop: 1 },
  { key: 'lateFeeUnpaid', title: '违约金', drop: 2 },
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
  { key: 'billNo', aside: true },
  { key: 'batchNo', aside: true },
  { key: 'billSource', aside: true },
  { key: 'payTime', aside: true },
  { key: 'lastUrgeTime', aside: true },
  { key: 'urgeCount', aside: true },
  { key: 'remark', aside: true },
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

const kinds = {
  all: { views: allViews, fixed: undefined, filters, export: exportBills, name: 'bills/all' },
  unpaid: {
    views: openViews,
    fixed: { payState: ['unpaid'], state: ['normal'] } as Partial<BillAsk>,
    filters: filters.filter(f => f !== 'payState' && f !== 'state'),
    export: exportUnpaid,
    name: 'bills/unpaid',
  },
} as const

const groups = [
  {
    title: '基本信息',
    keys: [
      'billNo',
      { key: 'period', label: '账期', show: (b: Bill) => `${b.beginDate} 至 ${b.endDate}` },
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
const printing: Batch<Bill, BillAsk> = {
  label: '打印缴费单',
  icon: <PrinterOutlined />,
  may: menu.bill.may.print,
  whole: true,
  run: (t: Ticked<Bill, BillAsk>) => {
    const most = t.whole ? 2000 : 1000
    if (t.count > most) {
      toast.warning(
        `一次最多打印 ${count(most)} 张账单，${t.whole ? '请缩小筛选范围' : '更多请用「选择全部」'}`,
      )
      return
    }
    openPrint(printBills, t.whole ? t.whole.filter : { ids: t.ids })
  },
}

function Bills({ kind }: { readonly kind: keyof typeof kinds }) {
  const k = kinds[kind]
  const deeds = useDeeds()
  const navigate = useNavigate()
  const project = useProject()
  const [adding, setAdding] = useState<'temporary' | 'prepay'>()
  const batch = useMemo(() => {
    const [first, ...rest] = deeds.batch
    const [recover] = deeds.abolished
    const [audit] = deeds.pending
    return kind === 'unpaid'
      ? [first, ...rest.slice(0, 2), printing, ...rest.slice(2)]
      : [first, ...rest.slice(0, 2), printing, ...rest.slice(2, 4), recover, audit, ...rest.slice(4)]
  }, [kind, deeds])
  /** The cashier is another module's screen: offered where it is installed, to whom it is open. */
  const collect = (b: Bill, label: string): readonly Verb[] => {
    const till = screenAt(cashier)
    return till && b.state === 'normal' && b.payState === 'unpaid'
      ? [
          {
            label,
            may: till.needs,
            why: whyNot('pay', b),
            run: () =>
              navigate(
                `${cashier}?type=${codeOf(sourceType, b.sourceType)}&code=${encodeURIComponent(b.sourceCode)}`,
              ),
          },
        ]
      : []
  }
  /** What a paid bill leads to: its payments, where that screen is installed and open. */
  const paidBy = (b: Bill): readonly Verb[] => {
    const at = screenAt(records)
    return at && (b.payState === 'paid' || b.paidPrincipal > 0)
      ? [
          {
            label: '看收款',
            may: at.needs,
            run: () => navigate(`${records}?keyword=${encodeURIComponent(b.sourceName)}`),
          },
        ]
      : []
  }
  const see = (b: Bill) => ({
    label: '看催缴',
    may: menu.notice.may.view,
    run: () => navigate(`/finance/chargemanage/demandmoney?keyword=${encodeURIComponent(b.sourceName)}`),
  })
  return (
    <>
      <ListPage
        list={listBills}
        what="账单"
        name={k.name}
        columns={shown}
        sought="房号、姓名、手机、车牌、单号"
        fixed={k.fixed}
        filters={k.filters}
        bar={['buildCode', 'feeItemId', 'belongMonth']}
        views={k.views}
        export={k.export}
        row={b =>
          b.payState === 'paid'
            ? [...paidBy(b), ...deeds.row(b), see(b)]
            : [...collect(b, '收款'), ...deeds.row(b), ...paidBy(b), see(b)]
        }
        batch={batch}
        untickable={b => (b.paying ? '账单正在支付中，支付完成或关闭支付单后再操作' : undefined)}
        dim={b => b.state === 'abolished' || b.state === 'split'}
        import={kind === 'all' && project ? importBills : undefined}
        importGiven={{ projectCode: project }}
        primary={
          kind === 'all' && {
            label: '生成账单',
            may: menu.bill.may.generate,
            run: () => navigate('/finance/chargemanage/chargeList/generate'),
          }
        }
        tools={
          kind === 'all'
            ? [
                { label: '临时费用', may: menu.bill.may.temporary, run: () => setAdding('temporary') },
                { label: '预缴', may: menu.bill.may.prepay, run: () => setAdding('prepay') },
                {
                  label: '查重复账单',
                  may: menu.bill.may.view,
                  run: () => navigate('/finance/chargemanage/redundantbills'),
                },
              ]
            : []
        }
        drawer={{
          title: billName,
          status: b => <BillStatus of={b} long />,
          above: b => <BillEquation of={b} />,
          one: oneBill as never,
          groups: groups as never,
          more: b => <BillStory of={b as never} />,
          history: bill.name,
          verbs: b => [
            ...(b.payState === 'paid' ? paidBy(b) : collect(b, `收款 ${yuan(b.unpaid, true)}`)),
            ...deeds.drawer(b),
            ...(b.payState === 'paid' ? [] : paidBy(b)),
            {
              label: '打印缴费单',
              may: menu.bill.may.print,
              run: () => openPrint(printBills, { ids: [String(b.id)] }),
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

export const BillsPage = () => <Bills kind="all" />
export const UnpaidPage = () => <Bills kind="unpaid" />
