import { useState } from 'react'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useChannelPayment } from '#modules/payments/web/public.ts'
import { topUpBalance } from '../contract/order.ts'
import { entitiesChangedByPayment } from './order-actions.ts'

const groups = [{ keys: [{ key: 'amount', wide: true }] }]
const emptyValues = {}

/**
 * 充值, where the platform has a channel: how much the company puts into its balance, then the payment dialog.
 */
export function TopUpBalance({ onPaid }: { readonly onPaid: () => void }) {
  const payment = useChannelPayment({ type: 'renewal', stale: entitiesChangedByPayment, onPaid })
  const [isFormOpen, setFormOpen] = useState(false)
  if (!payment.open) return null
  return (
    <>
      <button type="button" className="linkish" onClick={() => setFormOpen(true)}>
        充值
      </button>
      {isFormOpen && (
        <EditDialog
          shape={topUpBalance.input}
          draftKey={draftKeyOf(topUpBalance, 'new')}
          title="账户余额充值"
          groups={groups}
          initial={emptyValues}
          submitLabel="支付订单"
          presentation="dialog"
          save={values => sendAndInvalidate(topUpBalance, values, { quiet: true })}
          onClose={() => setFormOpen(false)}
          onDone={order => {
            setFormOpen(false)
            payment.show(order, () => sendAndInvalidate(topUpBalance, { amount: order.amount }))
          }}
        />
      )}
      {payment.dialog}
    </>
  )
}
