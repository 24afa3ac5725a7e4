import { Suspense, lazy, useState, type ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { usePermission } from '#kit/web/session.ts'
import type { Action } from '#kit/web/action.tsx'
import type { Bill } from '../contract/bill.ts'
import type { BillFilter } from '../contract/list.ts'
import { menu } from '../module.ts'
import { actionRules, type BillAction } from '../domain/actions.ts'
import { findActionRefusal } from './labels.tsx'
import type { DialogKind, DialogRequest } from './action-forms.tsx'
import {
  auditSelected,
  mergeBack,
  recoverByFilter,
  sensitiveActions,
  sensitiveBatchAction,
  sensitiveRowAction,
  type PermissionCheck,
} from './sensitive-actions.ts'

const { permissions } = menu.bill
const ActionDialog = lazy(() => import('./action-dialogs.tsx').then(m => ({ default: m.ActionDialog })))

/** Dialogs that may act on all bills of a filter. */
const filterDialogs: ReadonlySet<DialogKind> = new Set(['urge', 'discount', 'lateFee'])

type BillBatchAction = BatchAction<Bill, BillFilter>

export interface BillActions {
  readonly row: (b: Bill) => readonly Action[]
  readonly batch: readonly BillBatchAction[]
  readonly abolished: readonly BillBatchAction[]
  readonly pending: readonly BillBatchAction[]
  readonly dialog: ReactNode
}

type OpenDialog = (request: DialogRequest) => void

interface DialogActionSpec {
  readonly dialog: DialogKind
  readonly label: string
  readonly needs: Permission
  /** The rule that may refuse it; none for those that are always possible. */
  readonly rule?: BillAction
}

const reminderRight = menu.notice.permissions.urge

const dialogAction = (
  { dialog, label, needs, rule }: DialogActionSpec,
  bill: Bill,
  openDialog: OpenDialog,
): Action => ({
  label,
  needs,
  disabledReason: rule && findActionRefusal(rule, bill),
  run: () => openDialog({ kind: dialog, bills: [bill] }),
})

/** An action with the rule whose states it is offered in; the others would only be refused. */
type RowAction = readonly [BillAction, Action]

/** Actions on an unpaid bill: a paid one cannot be discounted, split or given another payer. */
const unpaidActions = (bill: Bill, openDialog: OpenDialog): RowAction[] => [
  [
    'split',
    dialogAction(
      { dialog: 'split', rule: 'split', label: '拆分', needs: permissions.split },
      bill,
      openDialog,
    ),
  ],
  [
    'changePayer',
    dialogAction(
      { dialog: 'payer', rule: 'changePayer', label: '变更缴费人', needs: permissions.payer },
      bill,
      openDialog,
    ),
  ],
]

/** Actions on a bill whose amount was entered. */
const enteredAmountActions = (bill: Bill, openDialog: OpenDialog): RowAction[] => [
  [
    'editAmount',
    dialogAction(
      { dialog: 'amount', rule: 'editAmount', label: '修改金额', needs: permissions.amount },
      bill,
      openDialog,
    ),
  ],
  [
    'abolish',
    dialogAction(
      { dialog: 'reissue', rule: 'abolish', label: '重开', needs: permissions.amount },
      bill,
      openDialog,
    ),
  ],
]

const reminderAndDiscount = (bill: Bill, openDialog: OpenDialog): RowAction[] => [
  ['discount', dialogAction({ dialog: 'urge', label: '发起催缴', needs: reminderRight }, bill, openDialog)],
  [
    'discount',
    dialogAction(
      { dialog: 'discount', rule: 'discount', label: '减免', needs: permissions.discount },
      bill,
      openDialog,
    ),
  ],
]

function createRowActions(bill: Bill, openDialog: OpenDialog, allowed: PermissionCheck): Action[] {
  const isUnpaid = bill.payState === 'unpaid'
  const hasEnteredAmount = bill.billSource === 'imported' || bill.billSource === 'temporary'
  const isDeletable = bill.state === 'abolished' || (bill.state === 'normal' && bill.urgeCount === 0)
  const lateFee = {
    dialog: 'lateFee',
    rule: 'lateFee',
    label: '调整违约金',
    needs: permissions.lateFee,
  } as const
  const mark = { dialog: 'mark', label: '标记争议与承诺', needs: reminderRight } as const
  const recover = { dialog: 'recover', rule: 'recover', label: '恢复', needs: permissions.recover } as const
  const actions: RowAction[] = [
    ['audit', { label: '审核', needs: permissions.audit, run: () => auditSelected([String(bill.id)]) }],
    ['recover', dialogAction(recover, bill, openDialog)],
    ['mergeBack', { label: '合并还原', needs: permissions.split, run: () => mergeBack(bill) }],
    ...(isUnpaid ? reminderAndDiscount(bill, openDialog) : []),
    // The late fee may still be open when the principal settles the bill.
    ...(isUnpaid || bill.lateFeeUnpaid > 0
      ? [['lateFee', dialogAction(lateFee, bill, openDialog)] satisfies RowAction]
      : []),
    ...(isUnpaid ? unpaidActions(bill, openDialog) : []),
    ...(hasEnteredAmount ? enteredAmountActions(bill, openDialog) : []),
    ...(isUnpaid ? [['discount', dialogAction(mark, bill, openDialog)] satisfies RowAction] : []),
    ['abolish', sensitiveRowAction(sensitiveActions.abolish, bill, allowed)],
    ...(isUnpaid
      ? [['writeOff', sensitiveRowAction(sensitiveActions.writeOff, bill, allowed)] satisfies RowAction]
      : []),
    ['reverseWriteOff', sensitiveRowAction(sensitiveActions.unwrite, bill, allowed)],
    ...(isDeletable
      ? [['delete', sensitiveRowAction(sensitiveActions.remove, bill, allowed)] satisfies RowAction]
      : []),
  ]
  return actions.filter(([rule]) => actionRules[rule].from.includes(bill.state)).map(([, action]) => action)
}

const dialogBatchAction = (
  { dialog, label, needs }: DialogActionSpec,
  openDialog: OpenDialog,
): BillBatchAction => ({
  label,
  needs,
  acceptsAllMatching: filterDialogs.has(dialog),
  run: selected => {
    openDialog({
      kind: dialog,
      bills: selected.rows,
      ids: selected.ids,
      ...(selected.allMatching ? { allMatching: selected.allMatching } : {}),
    })
  },
})

function createBatchActions(
  openDialog: OpenDialog,
  allowed: PermissionCheck,
): Pick<BillActions, 'batch' | 'abolished' | 'pending'> {
  const abolish = sensitiveBatchAction(sensitiveActions.abolish, allowed)
  const remove = sensitiveBatchAction(sensitiveActions.remove, allowed)
  return {
    batch: [
      dialogBatchAction({ dialog: 'urge', label: '发起催缴', needs: reminderRight }, openDialog),
      dialogBatchAction({ dialog: 'discount', label: '减免', needs: permissions.discount }, openDialog),
      dialogBatchAction({ dialog: 'lateFee', label: '调整违约金', needs: permissions.lateFee }, openDialog),
      dialogBatchAction({ dialog: 'payer', label: '变更缴费人', needs: permissions.payer }, openDialog),
      dialogBatchAction({ dialog: 'mark', label: '标记争议与承诺', needs: reminderRight }, openDialog),
      abolish,
      remove,
      sensitiveBatchAction(sensitiveActions.writeOff, allowed),
    ],
    abolished: [
      {
        label: '恢复',
        needs: permissions.recover,
        acceptsAllMatching: true,
        run: t => {
          if (t.allMatching) return recoverByFilter(t.allMatching)
          openDialog({ kind: 'recover', bills: t.rows, ids: t.ids })
          return undefined
        },
      },
      remove,
    ],
    pending: [
      {
        label: '审核',
        needs: permissions.audit,
        acceptsAllMatching: true,
        run: t => auditSelected(t.ids, t.allMatching),
      },
      abolish,
    ],
  }
}

/** All actions on bills: of one row, of selected rows, and the dialog that is open. */
export function useBillActions(): BillActions {
  const allowed = usePermission()
  const [request, setRequest] = useState<DialogRequest>()
  return {
    row: b => createRowActions(b, setRequest, allowed),
    ...createBatchActions(setRequest, allowed),
    dialog: request && (
      <Suspense>
        <ActionDialog of={request} onClose={() => setRequest(undefined)} />
      </Suspense>
    ),
  }
}
