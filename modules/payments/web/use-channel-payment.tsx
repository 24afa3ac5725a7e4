import { useCallback, useState, type ReactNode } from 'react'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useCall } from '#kit/web/query.ts'
import { listAvailableChannels } from '../contract/channel.ts'
import type { orderType } from '../contract/choices.ts'
import type { OrderView } from '../contract/order.ts'
import type { PayMode } from './pay-mode.ts'

const PayDialog = lazyComponent(() => import('./pay-dialog.tsx').then(m => m.PayDialog))

interface ChannelPaymentOptions {
  readonly type: ChoiceOf<typeof orderType>
  /** Entities whose lists are stale once it is paid. */
  readonly stale: readonly string[]
  readonly onPaid?: (order: OrderView) => void
  readonly enabled?: boolean
}

type BeginOrder = () => Promise<OrderView>

export interface ChannelPayment {
  /** There is a channel to pay by. */
  readonly open: boolean
  /** Begins an order and shows it; `begin` is called again when the order has run out. */
  readonly start: (createOrder: BeginOrder, mode?: PayMode) => Promise<void>
  /** Shows an order that has started already. */
  readonly show: (order: OrderView, createOrder: BeginOrder, mode?: PayMode) => void
  /** Stands anywhere in the page. */
  readonly dialog: ReactNode
}

/** The payment dialog for whatever a module has registered as an order subject. */
export function useChannelPayment({
  type,
  stale,
  onPaid,
  enabled = true,
}: ChannelPaymentOptions): ChannelPayment {
  const channels = useCall(listAvailableChannels, { orderType: type }, { quiet: true, enabled }).data ?? []
  const [shown, setShown] = useState<{
    readonly order: OrderView
    readonly createOrder: BeginOrder
    readonly mode: PayMode
  }>()
  const defaultMode: PayMode = channels.some(c => c.channel !== 'pos') ? 'qr' : 'pos'
  const finish = useCallback(
    (order: OrderView): void => {
      setShown(undefined)
      onPaid?.(order)
    },
    [onPaid],
  )
  return {
    open: channels.length > 0,
    show: (order, createOrder, mode = defaultMode) => setShown({ order, createOrder, mode }),
    start: async (createOrder, mode = defaultMode) =>
      setShown({ order: await createOrder(), createOrder, mode }),
    dialog: shown ? (
      <PayDialog
        key={shown.order.id}
        first={shown.order}
        mode={shown.mode}
        channels={channels}
        createAgain={shown.createOrder}
        stale={stale}
        onPaid={finish}
        onClose={() => setShown(undefined)}
      />
    ) : null,
  }
}
