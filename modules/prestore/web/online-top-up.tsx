import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Fen } from '#kit/domain/money.ts'
import { useCallback, useRef, useState, type ReactNode } from 'react'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { EditDialog } from '#kit/web/form/use-edit.tsx'
import { usePermission } from '#kit/web/session.ts'
import type { OrderView } from '#modules/payments/contract/order.ts'
import { useChannelPayment } from '#modules/payments/web/public.ts'
import { topUpOnline, type PrestoreAccount } from '../contract/account.ts'
import { menu } from '../module.ts'

export interface OnlineTopUpTarget {
  readonly projectCode: string
  readonly ownerKind: PrestoreAccount['ownerKind']
  readonly ownerCode: string
  readonly ownerName: string
  readonly feeItemId?: Id
  readonly feeItemName?: string | undefined
  /** The input before the payment channel takes over. */
  readonly initial?: {
    readonly amount?: Fen
    readonly gift?: Fen
    readonly payerName?: string
  }
}

type OnlineTopUpInput = NonNullable<typeof topUpOnline.input.T>

const groups = [
  {
    keys: [
      { key: 'amount', wide: true },
      { key: 'gift', help: '到账后一并赠送；赠送金额不退' },
      { key: 'payerName', help: '不填为登记的缴费人' },
      'remark',
    ],
  },
]

const staleEntities = ['asset', 'assetRecord', 'payRecord'] as const

const accountOf = ({ projectCode, ownerKind, ownerCode, feeItemId = 0 }: OnlineTopUpTarget) => ({
  projectCode,
  ownerKind,
  ownerCode,
  feeItemId,
})

/**
 * 扫码充值 (ACC-10): asks for the sum, then the payment dialog; the account has its money once it has come.
 * `open` while there is a channel.
 */
export function useOnlineTopUp(onPaid?: (recordId: Id) => void): {
  readonly open: boolean
  readonly start: (target: OnlineTopUpTarget) => void
  readonly dialog: ReactNode
} {
  const hasPermission = usePermission()
  const [target, setTarget] = useState<OnlineTopUpTarget>()
  const paid = useCallback(
    (o: OrderView): void => {
      if (o.recordId !== undefined) {
        onPaid?.(o.recordId)
      }
    },
    [onPaid],
  )
  const pay = useChannelPayment({
    type: 'prestore',
    stale: staleEntities,
    onPaid: paid,
    enabled: hasPermission(menu.account.permissions.topUp),
  })
  // What was asked for is asked for again when the first order has run out.
  const lastInput = useRef<OnlineTopUpInput>(undefined)
  return {
    open: pay.open,
    start: setTarget,
    dialog: (
      <>
        {target && (
          <EditDialog
            shape={topUpOnline.input}
            draftKey={draftKeyOf(topUpOnline, accountOf(target))}
            presentation="dialog"
            title={`扫码充值「${target.ownerName}」${target.feeItemId ? (target.feeItemName ?? '') : '通用'}`}
            groups={groups}
            initial={{ projectCode: target.projectCode, ...target.initial }}
            submitLabel="发起收款"
            save={v => {
              lastInput.current = { ...v, ...accountOf(target) }
              return sendAndInvalidate(topUpOnline, lastInput.current, { quiet: true })
            }}
            onClose={() => setTarget(undefined)}
            onDone={a => {
              setTarget(undefined)
              pay.show(a, () => sendAndInvalidate(topUpOnline, defined(lastInput.current)))
            }}
          />
        )}
        {pay.dialog}
      </>
    ),
  }
}
