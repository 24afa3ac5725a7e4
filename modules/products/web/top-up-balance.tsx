import { useState } from 'react'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { OrderView } from '#modules/payments/contract/order.ts'
import { useChannelPayment } from '#modules/payments/web/public.ts'
import { topUpBalance } from '../contract/order.ts'
import { entitiesChangedByPayment } from './order-actions.ts'

const groups = [{ keys: [{ key: 'amount', wide: true }] }]
const emptyValues = {}

/**
 * 充值, where the platform has a channel: how much the company puts into its balance, then the payment dialog.
 */
export function TopUpBalance({ onPaid }: { readonly onPaid: () => void }) {
  const online = useChannelPayment({ type: 'renewal', stale: entitiesChangedByPayment, onPaid })
  const [filling, fill] = useState(false)
  if (!online.open) return null
  return (
    <>
      <button type="button" className="linkish" onClick={() => fill(true)}>
        充值
      </button>
      {filling && (
        <EditDialog
          shape={topUpBalance.input}
          draftKey={draftKeyOf(topUpBalance, 'new')}
          title="账户余额充值"
          groups={groups}
          initial={emptyValues}
          submitLabel="支付订单"
          presentation="dialog"
          save={v => sendAndInvalidate(topUpBalance, v, { quiet: true })}
          onClose={() => fill(false)}
          onDone={a => {
            const o = a as OrderView
            fill(false)
            online.show(o, () => sendAndInvalidate(topUpBalance, { amount: o.amount }))
          }}
        />
      )}
      {online.dialog}
    </>
  )
}
