import { useCallback, useState, type ReactNode } from 'react'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useCall } from '#kit/web/query.ts'
import { listAvailableChannels } from '../contract/channel.ts'
import type { orderType } from '../contract/choices.ts'
import type { OrderView } from '../contract/order.ts'
import type { PayMode } from './pay-dialog.tsx'

const PayDialog = lazyComponent(() => import('./pay-dialog.tsx').then(m => m.PayDialog))

interface ChannelPaymentOptions {
  readonly type: ChoiceOf<typeof orderType>
  /** Entities whose lists are stale once it is paid. */ readonly stale: readonly string[]
  readonly onPaid?: (o: OrderView) => void
  readonly enabled?: boolean
}

/**
 * The payment dialog for whatever a module has declared a subject for: `open` while there is a channel to pay
 * by; `start` begins an order by the module's own call (which is asked again when the order has run out) and
 * shows it until it is paid; `show` is for one that has begun already; `dialog` stands anywhere in the page.
 */
export function useChannelPayment({ type, stale, onPaid, enabled = true }: ChannelPaymentOptions): {
  readonly open: boolean
  readonly start: (begin: () => Promise<OrderView>, door?: PayMode) => Promise<void>
  readonly show: (order: OrderView, begin: () => Promise<OrderView>, door?: PayMode) => void
  readonly dialog: ReactNode
} {
  const channels = useCall(listAvailableChannels, { orderType: type }, { quiet: true, enabled }).data ?? []
  const [now, setNow] = useState<{
    readonly order: OrderView
    readonly begin: () => Promise<OrderView>
    readonly door: PayMode
  }>()
  const first: PayMode = channels.some(c => c.channel !== 'pos') ? 'qr' : 'pos'
  const paid = useCallback(
    (o: OrderView): void => {
      setNow(undefined)
      onPaid?.(o)
    },
    [onPaid],
  )
  return {
    open: channels.length > 0,
    show: (order, begin, door = first) => setNow({ order, begin, door }),
    start: async (begin, door = first) => setNow({ order: await begin(), begin, door }),
    dialog: now ? (
      <PayDialog
        key={now.order.id}
        first={now.order}
        door={now.door}
        channels={channels}
        again={now.begin}
        stale={stale}
        onPaid={paid}
        onClose={() => setNow(undefined)}
      />
    ) : null,
  }
}
