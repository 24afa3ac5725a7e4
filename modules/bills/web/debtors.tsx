import { cashierAddress, paths } from './paths.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Action } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useHost } from '#kit/web/shell/host.ts'
import { toast } from '#kit/web/toast.ts'
import { bill } from '../contract/bill.ts'
import { exportDebtors, listDebtors, type Debtor } from '../contract/debtor.ts'
import { menu } from '../module.ts'

const ReminderDialog = lazyComponent(() => import('./reminder-dialog.tsx').then(m => m.ReminderDialog))

const maxBills = 2000

/** The columns that the server can sort by. */
const sortedKeys = new Set([
  'payerName',
  { key: 'billCount', width: 72 },
  'unpaid',
  'over90',
  'dueDate',
  'lastUrgeTime',
  'promiseDate',
])

const columns = buildColumns(listDebtors.output, [
  {
    key: 'payerName',
    identity: true,
    width: 110,
    text: d => d.payerName ?? '无缴费人',
    render: d => d.payerName ?? '无缴费人',
  },
  { key: 'payerMobile', width: 124 },
  { key: 'sourceNames', width: 130, grow: 1 },
  { key: 'billCount', width: 72 },
  { key: 'unpaid', strong: true },
  { key: 'notDue', wideOnly: true },
  'days30',
  'days60',
  'days90',
  'over90',
  { key: 'dueDate', wideOnly: true },
  {
    key: 'lastUrgeTime',
    width: 104,
    text: d => d.lastUrgeTime?.slice(0, 10) ?? '',
    render: d => d.lastUrgeTime?.slice(0, 10) ?? '--',
  },
  { key: 'promiseDate', width: 104 },
  { key: 'urgeCount', hiddenByDefault: true },
  { key: 'disputed', hiddenByDefault: true },
]).map(column => ({ ...column, sortKey: sortedKeys.has(column.key) ? column.key : undefined }))

const { buildCode, feeItemId, belongMonth, sourceType } = bill.fields
const filterFields = { buildCode, feeItemId, belongMonth, sourceType }

const views = [
  { id: '', name: '逾期', filter: { overdue: true } },
  { id: 'd90', name: '逾期 90 天以上', filter: { overdue: true, overdueDaysFrom: 91 } },
  { id: 'never', name: '未催缴', filter: { overdue: true, urgeCountTo: 0 } },
  { id: 'promised', name: '有承诺', filter: { promised: true } },
  { id: 'disputed', name: '有争议', filter: { disputed: true } },
  { id: 'all', name: '全部未缴', filter: {} },
]

/** The bills of one payer; of the nameless those of the object. */
const billsPath = (d: Debtor): string =>
  d.payerId
    ? `${paths.unpaid}?payerKind=${d.payerKind ?? 'resident'}&payerId=${d.payerId}`
    : `${paths.unpaid}?sourceCode=${encodeURIComponent(d.firstCode)}`

interface Reminder {
  readonly title: string
  readonly ids: readonly string[]
}

/** Who owes how much for how long, and what to do about it: the list of those who collect. */
export default function DebtorsPage() {
  const navigate = useNavigate()
  const { screens } = useHost()
  const [reminder, setReminder] = useState<Reminder>()
  const cashier = screens.find(paths.cashier)
  const cashierNeeds = cashier?.workNeeds ?? cashier?.needs
  const remind = (debtors: readonly Debtor[]): void => {
    const ids = debtors.flatMap(d => d.billIds)
    const [first] = debtors
    if (ids.length > maxBills) {
      toast.warning(`共 ${ids.length} 张账单，一次最多催缴 ${maxBills} 张，请分批选择`)
    } else if (first) {
      const title =
        debtors.length === 1
          ? `催缴「${first.payerName ?? first.sourceNames}」${ids.length} 张账单`
          : `催缴 ${debtors.length} 位客户，共 ${ids.length} 张账单`
      setReminder({ title, ids })
    }
  }
  const rowActions = (debtor: Debtor): Action[] => [
    { label: '催缴', needs: menu.notice.permissions.urge, run: () => remind([debtor]) },
    {
      label: '收款',
      ...(cashierNeeds ? { needs: cashierNeeds } : {}),
      run: () => void navigate(cashierAddress(debtor.firstType, debtor.firstCode, debtor.projectCode)),
    },
    { label: '查看账单', needs: menu.bill.permissions.view, run: () => void navigate(billsPath(debtor)) },
  ]
  return (
    <>
      <ListPage
        list={listDebtors}
        itemName="欠费客户"
        columns={columns}
        keyOf={d => d.key}
        keywordPlaceholder="房号、姓名、电话"
        barFilters={['buildCode', 'feeItemId', 'dueDate']}
        extraFilterFields={filterFields}
        views={views}
        rowActions={rowActions}
        batchActions={[
          {
            label: '催缴',
            needs: menu.notice.permissions.urge,
            run: t => {
              remind(t.rows)
              return Promise.resolve(false)
            },
          },
        ]}
        toolbarActions={[
          {
            label: '发起催缴',
            needs: menu.notice.permissions.urge,
            // While rows are selected the actions on them are in its place.
            run: () => toast.info('请勾选要催缴的客户，再点击「发起催缴」'),
          },
          {
            label: '催缴记录',
            needs: menu.notice.permissions.view,
            run: () => void navigate(paths.notices),
          },
        ]}
        export={exportDebtors}
      />
      {reminder && (
        <ReminderDialog
          bills={[]}
          ids={reminder.ids}
          title={reminder.title}
          onClose={() => setReminder(undefined)}
        />
      )}
    </>
  )
}
