import { useCallback, useState } from 'react'
import type { CashierView, CashierExtensionProps } from '#modules/payments/web/public.ts'
import { useOnlineTopUp } from './online-top-up.tsx'
import { TopUpDialog, type TopUpTarget } from './top-up-dialog.tsx'

/** Whose account money at the till goes to: the room's, else the payer's own. */
export function topUpTargetOf(project: string, d: CashierView): TopUpTarget | undefined {
  if (d.sourceType === 'room')
    return { projectCode: project, ownerKind: 'room', ownerCode: d.sourceCode, ownerName: d.sourceName }
  return d.payerKind && d.payerId
    ? {
        projectCode: project,
        ownerKind: d.payerKind,
        ownerCode: String(d.payerId),
        ownerName: d.payerName ?? d.sourceName,
      }
    : undefined
}

/** 预存充值 at the till: for any fee or for one, with a bonus, by several ways, or by a channel (ACC-10). */
export function CashierTopUp({ project, view, onClose, onPaid }: CashierExtensionProps) {
  const [of] = useState(() => topUpTargetOf(project, view))
  const paid = useCallback((id: number) => onPaid([id]), [onPaid])
  const online = useOnlineTopUp(paid)
  if (!of) return null
  return (
    <>
      <TopUpDialog
        of={of}
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
                online.start({ ...of, feeItemId, initial: { ...entered, ...(amount ? { amount } : {}) } })
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
