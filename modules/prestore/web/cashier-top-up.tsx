import type { Id } from '#kit/domain/id.ts'
import { useCallback, useState } from 'react'
import type { CashierView, CashierExtensionProps } from '#modules/payments/web/public.ts'
import { useOnlineTopUp } from './online-top-up.tsx'
import { TopUpDialog, type TopUpTarget } from './top-up-dialog.tsx'

/** Whose account a cashier's top-up goes to: the room's or the car's, else the payer's own. */
export function topUpTargetOf(project: string, view: CashierView): TopUpTarget | undefined {
  const { sourceType, sourceCode, sourceName } = view
  if (sourceType === 'room' || sourceType === 'car')
    return { projectCode: project, ownerKind: sourceType, ownerCode: sourceCode, ownerName: sourceName }
  return view.payerKind && view.payerId
    ? {
        projectCode: project,
        ownerKind: view.payerKind,
        ownerCode: String(view.payerId),
        ownerName: view.payerName ?? view.sourceName,
      }
    : undefined
}

/** 预存充值 by the cashier: for any fee or one, with a bonus, by several methods or a channel (ACC-10). */
export function CashierTopUp({ project, view, onClose, onPaid }: CashierExtensionProps) {
  const [target] = useState(() => topUpTargetOf(project, view))
  const paid = useCallback((id: Id) => onPaid([id]), [onPaid])
  const online = useOnlineTopUp(paid)
  if (!target) return null
  return (
    <>
      <TopUpDialog
        of={target}
        choosesItem
        payer={view.payerName}
        onClose={onClose}
        onDone={paid}
        renderAlternative={({ feeItemId, amount, ...entered }) =>
          online.open && (
            <button
              type="button"
              className="linkish"
              onClick={() =>
                online.start({ ...target, feeItemId, initial: { ...entered, ...(amount ? { amount } : {}) } })
              }
            >
              改用扫码充值
            </button>
          )
        }
      />
      {online.dialog}
    </>
  )
}
