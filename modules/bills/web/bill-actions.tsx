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
} from './sensitive-actions.ts'

const { permissions } = menu.bill
const ActionDialog = lazy(() => import('./action-dialogs.tsx').then(m => ({ default: m.ActionDialog })))

/** Dialogs that may act on all bills of a filter. */
const filterDialogs: ReadonlySet<DialogKind> = new Set(['urge', 'discount', 'lateFee'])

export interface BillActions {
  readonly row: (b: Bill) => readonly Action[]
  readonly drawer: (b: Bill) => readonly Action[]
  readonly batch: readonly BatchAction<Bill, BillFilter>[]
  readonly abolished: readonly BatchAction<Bill, BillFilter>[]
  readonly pending: readonly BatchAction<Bill, BillFilter>[]
  readonly dialog: ReactNode
}

/** All actions on bills: of one row, of selected rows, and the dialog that is open. */
export function useBillActions(): BillActions {
  const allowed = usePermission()
  const [open, setOpen] = useState<DialogRequest>()
  const close = (): void => setOpen(undefined)
  const ask = (
    what: DialogKind,
    of: BillAction | undefined,
    label: string,
    right: Permission,
    b: Bill,
  ): Action => ({
    label,
    needs: right,
    disabledReason: of && findActionRefusal(of, b),
    run: () => setOpen({ what, bills: [b] }),
  })
  /** Actions that are possible in the bill's state; the others would only be refused. */
  const fits = (b: Bill, list: readonly (readonly [BillAction, Action])[]): Action[] =>
    list.filter(([a]) => actionRules[a].from.includes(b.state)).map(([, v]) => v)
  const row = (b: Bill): Action[] =>
    fits(b, [
      ['audit', { label: '审核', needs: permissions.audit, run: () => auditSelected([String(b.id)]) }],
      ['recover', ask('recover', 'recover', '恢复', permissions.recover, b)],
      ['mergeBack', { label: '合并还原', needs: permissions.split, run: () => mergeBack(b) }],
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('urge', undefined, '发催缴', menu.notice.permissions.urge, b)]] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('discount', 'discount', '减免', permissions.discount, b)]] as const)
        : []),
      // A paid bill cannot be discounted, split or given another payer; its late fee may still be open when
      // the
      // principal settles the bill.
      ...(b.payState === 'unpaid' || b.lateFeeUnpaid > 0
        ? ([['lateFee', ask('lateFee', 'lateFee', '调整违约金', permissions.lateFee, b)]] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([
            ['split', ask('split', 'split', '拆分', permissions.split, b)],
            ['changePayer', ask('payer', 'changePayer', '变更缴费人', permissions.payer, b)],
          ] as const)
        : []),
      ...(b.billSource === 'imported' || b.billSource === 'temporary'
        ? ([
            ['editAmount', ask('amount', 'editAmount', '修改金额', permissions.amount, b)],
            ['abolish', ask('reissue', 'abolish', '重开', permissions.amount, b)],
          ] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('mark', undefined, '标记争议与承诺', menu.notice.permissions.urge, b)]] as const)
        : []),
      ['abolish', sensitiveRowAction(sensitiveActions.abolish, b, allowed)],
      ...(b.payState === 'unpaid'
        ? ([['writeOff', sensitiveRowAction(sensitiveActions.writeOff, b, allowed)]] as const)
        : []),
      ['reverseWriteOff', sensitiveRowAction(sensitiveActions.unwrite, b, allowed)],
      ...(b.state === 'abolished' || (b.state === 'normal' && b.urgeCount === 0)
        ? ([['delete', sensitiveRowAction(sensitiveActions.remove, b, allowed)]] as const)
        : []),
    ])
  const batch = (what: DialogKind, label: string, right: Permission): BatchAction<Bill, BillFilter> => ({
    label,
    needs: right,
    acceptsAllMatching: filterDialogs.has(what),
    run: t => {
      setOpen({ what, bills: t.rows, ids: t.ids, ...(t.allMatching ? { whole: t.allMatching } : {}) })
    },
  })
  return {
    row,
    drawer: row,
    batch: [
      batch('urge', '发催缴', menu.notice.permissions.urge),
      batch('discount', '减免', permissions.discount),
      batch('lateFee', '调整违约金', permissions.lateFee),
      batch('payer', '变更缴费人', permissions.payer),
      batch('mark', '标记争议与承诺', menu.notice.permissions.urge),
      sensitiveBatchAction(sensitiveActions.abolish, allowed),
      sensitiveBatchAction(sensitiveActions.remove, allowed),
      sensitiveBatchAction(sensitiveActions.writeOff, allowed),
    ],
    abolished: [
      {
        ...batch('recover', '恢复', permissions.recover),
        acceptsAllMatching: true,
        run: t => {
          if (t.allMatching) return recoverByFilter(t.allMatching)
          setOpen({ what: 'recover', bills: t.rows, ids: t.ids })
          return undefined
        },
      },
      sensitiveBatchAction(sensitiveActions.remove, allowed),
    ],
    pending: [
      {
        label: '审核',
        needs: permissions.audit,
        acceptsAllMatching: true,
        run: t => auditSelected(t.ids, t.allMatching),
      },
      sensitiveBatchAction(sensitiveActions.abolish, allowed),
    ],
    dialog: open && (
      <Suspense>
        <ActionDialog of={open} onClose={close} />
      </Suspense>
    ),
  }
}
