import { screenAction } from '#kit/web/screen-action.ts'
import { cashierAddress, paths } from './paths.ts'
import { PrinterOutlined } from '@ant-design/icons'
import { Suspense, lazy, useMemo, useState } from 'react'
import { codeOf } from '#kit/contract/field.ts'
import { formatCount, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { findScreen } from '#kit/web/screen-registry.ts'
import type { Action } from '#kit/web/action.tsx'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import type { SelectedRows } from '#kit/web/list/selection.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { importBills } from '../contract/import.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { listBills, type BillFilter } from '../contract/list.ts'
import { getBill } from '../contract/bill-detail.ts'
import { printPaymentNotices } from '../contract/reminder.ts'
import { menu } from '../module.ts'
import { useBillActions, type BillActions } from './bill-actions.tsx'
import { openPrintPage } from './print.ts'
import { BillEquation, BillStatus, billName, findActionRefusal } from './labels.tsx'
import './bills.css'
import { listColumns, listKinds, detailGroups } from './list-views.tsx'

const BillDetail = lazyComponent(() => import('./bill-detail.tsx').then(m => m.BillDetail))

/** The drawer loads the whole bill; the list's rows hold only part of it. */
const isWholeBill = (b: Bill): b is Bill & NonNullable<typeof getBill.output.T> => 'adjusts' in b

const TemporaryDialog = lazy(() =>
  import('./temporary-dialog.tsx').then(m => ({ default: m.TemporaryDialog })),
)

const PrepayDialog = lazy(() => import('./prepay-dialog.tsx').then(m => ({ default: m.PrepayDialog })))
/** Prints the selected bills, or all of the filter: 2,000 at most. */
const printAction: BatchAction<Bill, BillFilter> = {
  label: '打印缴费通知单',
  icon: <PrinterOutlined />,
  needs: menu.bill.permissions.print,
  acceptsAllMatching: true,
  run: (selected: SelectedRows<Bill, BillFilter>) => {
    const maxSelected = selected.allMatching ? 2000 : 1000
    if (selected.count > maxSelected) {
      toast.warning(
        `一次最多打印 ${formatCount(maxSelected)} 张账单，${selected.allMatching ? '请缩小筛选范围' : '更多请用「选择全部」'}`,
      )
      return
    }
    openPrintPage(
      printPaymentNotices,
      selected.allMatching ? selected.allMatching.filter : { ids: selected.ids },
    )
  },
}

/** The cashier belongs to another module: offered where it is installed, to those who may open it. */
function collectActions(billRow: Bill, label: string): readonly Action[] {
  const cashier = findScreen(paths.cashier)
  return cashier && billRow.state === 'normal' && billRow.payState === 'unpaid'
    ? [
        {
          label,
          needs: cashier.workNeeds ?? cashier.needs,
          disabledReason: findActionRefusal('pay', billRow),
          run: () =>
            navigateTo(
              cashierAddress(codeOf(sourceType, billRow.sourceType), billRow.sourceCode, billRow.projectCode),
            ),
        },
      ]
    : []
}

/** The payments of a paid bill, where that screen is installed. */
function paymentActions(billRow: Bill): readonly Action[] {
  const payments = findScreen(paths.payments)
  return payments && (billRow.payState === 'paid' || billRow.paidPrincipal > 0)
    ? [
        {
          label: '查看收款',
          needs: payments.needs,
          run: () => navigateTo(`${paths.payments}?keyword=${encodeURIComponent(billRow.sourceName)}`),
        },
      ]
    : []
}

const remindersAction = (b: Bill): Action => ({
  label: '查看催缴',
  needs: menu.notice.permissions.view,
  run: () => navigateTo(`${paths.notices}?keyword=${encodeURIComponent(b.sourceName)}`),
})

const rowActionsOf = (b: Bill, { row }: BillActions): readonly Action[] =>
  b.payState === 'paid'
    ? [...paymentActions(b), ...row(b), remindersAction(b)]
    : [...collectActions(b, '收款'), ...row(b), ...paymentActions(b), remindersAction(b)]

const drawerActionsOf = (billRow: Bill, { row }: BillActions): readonly Action[] => [
  ...(billRow.payState === 'paid'
    ? paymentActions(billRow)
    : collectActions(billRow, `收款 ${displayYuanWithSymbol(billRow.unpaid)}`)),
  ...row(billRow),
  ...(billRow.payState === 'paid' ? [] : paymentActions(billRow)),
  {
    label: '打印缴费通知单',
    needs: menu.bill.permissions.print,
    run: () => openPrintPage(printPaymentNotices, { ids: [String(billRow.id)] }),
  },
]

type ListKind = keyof typeof listKinds

/** The actions of the list's bar, in its order. */
function batchActionsOf(kind: ListKind, { batch, abolished, pending }: BillActions) {
  const [first, ...rest] = batch
  return kind === 'unpaid'
    ? [first, ...rest.slice(0, 2), printAction, ...rest.slice(2)]
    : [
        first,
        ...rest.slice(0, 2),
        printAction,
        ...rest.slice(2, 4),
        abolished[0],
        pending[0],
        ...rest.slice(4),
      ]
}

type NewBillDialog = 'temporary' | 'prepay'

const createToolbarActions = (openDialog: (dialog: NewBillDialog) => void): readonly Action[] => [
  { label: '临时费用', needs: menu.bill.permissions.temporary, run: () => openDialog('temporary') },
  { label: '预缴', needs: menu.bill.permissions.prepay, run: () => openDialog('prepay') },
  {
    label: '查询重复账单',
    needs: menu.bill.permissions.view,
    run: () => navigateTo(paths.redundant),
  },
]

const generateAction: Action = {
  label: '生成账单',
  needs: menu.bill.permissions.generate,
  run: () => navigateTo(paths.generate),
}

function BillList({ kind }: { readonly kind: ListKind }) {
  const config = listKinds[kind]
  const actions = useBillActions()
  const project = useProject()
  const [adding, setAdding] = useState<NewBillDialog>()
  const closeDialog = (): void => setAdding(undefined)
  const batch = useMemo(() => batchActionsOf(kind, actions), [kind, actions])
  return (
    <>
      <ListPage
        list={listBills}
        itemName="账单"
        settingsKey={config.name}
        columns={listColumns}
        keywordPlaceholder="房号、姓名、手机、车牌、单号"
        fixedFilter={config.fixed}
        filters={config.filters}
        barFilters={['buildCode', 'feeItemId', 'belongMonth']}
        views={config.views}
        export={config.export}
        rowActions={b => rowActionsOf(b, actions)}
        batchActions={batch}
        unselectableReason={b => (b.paying ? '账单正在支付中，支付完成或关闭支付单后再操作' : undefined)}
        import={kind === 'all' && project ? importBills : undefined}
        importInput={{ projectCode: project }}
        afterImport={screenAction(paths.cashier, {}, '收款')}
        primaryAction={kind === 'all' && generateAction}
        toolbarActions={kind === 'all' ? createToolbarActions(setAdding) : []}
        drawer={{
          title: billName,
          status: b => <BillStatus of={b} long />,
          summary: b => <BillEquation of={b} />,
          loadCall: getBill,
          groups: detailGroups,
          afterGroups: b => isWholeBill(b) && <BillDetail of={b} />,
          historyEntity: bill.name,
          actions: b => drawerActionsOf(b, actions),
        }}
      />
      {actions.dialog}
      {adding && (
        <Suspense>
          {adding === 'temporary' ? (
            <TemporaryDialog onClose={closeDialog} />
          ) : (
            <PrepayDialog onClose={closeDialog} />
          )}
        </Suspense>
      )}
    </>
  )
}

export const BillsPage = () => <BillList kind="all" />
export const UnpaidPage = () => <BillList kind="unpaid" />
