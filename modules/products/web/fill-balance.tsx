import { useState } from 'react'
import { act } from '#kit/web/acts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { OrderView } from '#modules/payments/contract/order.ts'
import { useChannelPay } from '#modules/payments/web/public.ts'
import { topUpBalance } from '../contract/order.ts'
import { payOnlineStale } from './order-verbs.ts'

const groups = [{ keys: [{ key: 'amount', wide: true }] }]
const nought = {}

/**
 * 充值, where the platform has a channel: how much the company puts into its balance, then the payment dialog.
 */
export function FillBalance({ onPaid }: { readonly onPaid: () => void }) {
  const online = useChannelPay({ type: 'renewal', stale: payOnlineStale, onPaid })
  const [filling, fill] = useState(false)
  if (!online.open) return null
  return (
    <>
      <button type="button" className="linkish" onClick={() => fill(true)}>
        充值
      </button>
      {filling && (
        <EditDialog
          of={topUpBalance.input}
          title="账户余额充值"
          groups={groups}
          initial={nought}
          words="去支付"
          as="dialog"
          save={v => act(topUpBalance, v, { quiet: true })}
          onClose={() => fill(false)}
          onDone={a => {
            const o = a as OrderView
            fill(false)
            online.show(o, () => act(topUpBalance, { amount: o.amount }))
          }}
        />
      )}
      {online.dialog}
    </>
  )
}
