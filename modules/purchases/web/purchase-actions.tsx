import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Action, Actions } from '#kit/web/action.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { confirmAndSend, sendAndToast } from '#kit/web/record-actions.ts'
import { useSession } from '#kit/web/session.ts'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import {
  cancelOwnPurchase,
  cancelPurchase,
  closePurchase,
  deletePurchases,
  withdrawPurchase,
} from '../contract/actions.ts'
import type { Purchase } from '../contract/purchase.ts'
import { canDo, isCancellable } from '../domain/states.ts'
import { menu, paths } from '../module.ts'

const SubmitDialog = lazyComponent(() => import('./submit-dialog.tsx').then(m => m.SubmitDialog))
const DecideDialog = lazyComponent(() => import('./decide-dialog.tsx').then(m => m.DecideDialog))
const RefuseDialog = lazyComponent(() => import('./decide-dialog.tsx').then(m => m.RefuseDialog))
const OrderDialog = lazyComponent(() => import('./order-dialog.tsx').then(m => m.OrderDialog))

const dialogs = { submit: SubmitDialog, approve: DecideDialog, refuse: RefuseDialog, order: OrderDialog }

type DialogName = keyof typeof dialogs

interface OpenDialog {
  readonly name: DialogName
  readonly purchase: Purchase
}

const printPurchase = (id: number): void => {
  window.open(`${paths.print}?id=${id}`, '_blank')
}

const withReason = (
  call: typeof cancelPurchase,
  row: Purchase,
  label: string,
  consequences: readonly string[],
): Promise<boolean> =>
  confirmAndSend(call, {
    actionLabel: label,
    unit: `张采购：${row.purchaseNo}`,
    consequences,
    affectedSums: [['预估金额', displayYuanWithSymbol(row.totalAmount)]],
    input: { id: row.id },
  })

/** What the applicant does with an own purchase. */
function ownActions(row: Purchase, open: (name: DialogName) => void, edit: () => void): Actions {
  const { add, del } = menu.request.permissions
  return [
    row.state !== 'approved' && canDo('edit', row.state, row) && { label: '修改', needs: add, run: edit },
    canDo('submit', row.state, row) && {
      label: row.isReturned ? '重新提交' : '提交',
      needs: add,
      run: () => open('submit'),
    },
    row.isWithdrawable && {
      label: '撤回',
      needs: add,
      run: () => sendAndToast(withdrawPurchase, { id: row.id }, '已撤回'),
    },
    row.state === 'approved' && { label: '修改并重新审批', needs: add, run: edit },
    isCancellable(row) && {
      label: '取消采购',
      needs: add,
      danger: true,
      run: () => withReason(cancelOwnPurchase, row, '取消采购', ['审批随之结束；取消后不能恢复']),
    },
    canDo('delete', row.state) && {
      label: '删除',
      needs: del,
      danger: true,
      run: () =>
        confirmAndSend(deletePurchases, {
          actionLabel: '删除',
          unit: `张采购草稿：${row.purchaseNo}`,
          input: { ids: [String(row.id)] },
        }),
    },
  ]
}

/** What others do with it. */
function officeActions(row: Purchase, open: (name: DialogName) => void, isOwn: boolean): Actions {
  const { decide, edit } = menu.purchase.permissions
  const decides = canDo('decide', row.state) && row.way === 'person'
  const disabledReason = isOwn ? '不能审批自己的采购申请' : undefined
  return [
    decides && { label: '批准', needs: decide, disabledReason, run: () => open('approve') },
    decides && { label: '驳回', needs: decide, disabledReason, danger: true, run: () => open('refuse') },
    row.awaitsOrder && { label: '下单', needs: menu.order.permissions.add, run: () => open('order') },
    canDo('close', row.state) && {
      label: '关闭余量',
      needs: edit,
      danger: true,
      run: () =>
        withReason(closePurchase, row, '关闭余量', ['未到货的不再收货，未完成的订单随之关闭，采购完成']),
    },
    !isOwn &&
      isCancellable(row) && {
        label: '取消采购',
        needs: edit,
        danger: true,
        run: () => withReason(cancelPurchase, row, '取消采购', ['审批随之结束；取消后不能恢复']),
      },
  ]
}

/** The actions of a purchase, with the dialogs that some of them open. */
export function usePurchaseActions(): {
  readonly actionsOf: (row: Purchase) => Actions
  readonly dialog: ReactNode
} {
  const navigate = useNavigate()
  const myId = Number(useSession(s => s.signed?.manager.id))
  const [opened, setOpened] = useState<OpenDialog>()
  const Dialog = opened && dialogs[opened.name]
  const actionsOf = (row: Purchase): Actions => {
    const open = (name: DialogName): void => setOpened({ name, purchase: row })
    const isOwn = row.applicantId === myId
    const print: Action = { label: '打印', run: () => printPurchase(row.id) }
    return [
      ...officeActions(row, open, isOwn),
      ...(isOwn ? ownActions(row, open, () => void navigate(`${paths.form}?id=${row.id}`)) : []),
      print,
    ]
  }
  return {
    actionsOf,
    dialog: Dialog && <Dialog record={opened.purchase} onClose={() => setOpened(undefined)} />,
  }
}
