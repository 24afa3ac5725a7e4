import { Alert, Modal } from 'antd'
import { useCall } from '#kit/web/query.ts'
import { listAvailableChannels } from '../contract/channel.ts'
import { getPayLink, type OrderView } from '../contract/order.ts'
import { PayDialog } from './pay-dialog.tsx'
import type { CounterChoice } from './counter-choice.ts'
import { payModesOf } from './pay-mode.ts'

/**
 * Pays an order that has been opened already, by its number: the one of prepaid bills (TMP-2). It begins with
 * the method that is chosen at the counter.
 */
export function OrderPayment({
  orderNo,
  choice: { mode = 'offline', ...offline },
  onPaid,
  onClose,
}: {
  readonly orderNo: string
  readonly choice: CounterChoice
  readonly onPaid: (order: OrderView) => void
  readonly onClose: () => void
}) {
  const link = useCall(getPayLink, { orderNo }, { quiet: true, staleMs: 0 })
  const channels = useCall(listAvailableChannels, { orderType: 'bill' }, { quiet: true })
  if (link.isError)
    return (
      <Modal open title="收款" footer={null} onCancel={onClose}>
        <Alert type="error" title={link.error.message} />
      </Modal>
    )
  if (!link.data || channels.isPending) return null
  const available = channels.data ?? []
  const modes = payModesOf(available, link.data.orderType)
  return (
    <PayDialog
      key={link.data.id}
      first={link.data}
      mode={modes.some(option => option.value === mode) ? mode : 'offline'}
      offline={offline}
      channels={available}
      onPaid={onPaid}
      onClose={onClose}
    />
  )
}
