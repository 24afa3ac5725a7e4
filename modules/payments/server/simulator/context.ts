import type { Fen } from '#kit/domain/money.ts'
import type { BillStore } from './bill-store.ts'
import type { Keys } from './keys.ts'
import type { OrderStore, Order } from './order-store.ts'

/** What the other ends of the channels share. */
export interface SimulatorContext {
  readonly orderStore: OrderStore
  readonly billStore: BillStore
  readonly keys: Keys
  readonly clock: () => number
  /** The page that takes the place of the payer's phone. */
  readonly phoneUrl: (order: Order) => string
  readonly baseUrl: () => string
}

export interface SimulatorResponse {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** The callback that says an order was paid. */
export interface SimulatorNotification {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export const refundedAmount = (order: Order): number =>
  Object.values(order.refunds).reduce((sum, refund) => sum + refund.amount, 0)

/** The refund under a number, opened where it is new; a slow channel has it in progress first. */
export function openRefund(
  { orderStore, clock }: SimulatorContext,
  order: Order,
  refundNo: string,
  refund: { readonly id: string; readonly amount: Fen },
): Order['refunds'][string] {
  const isSlow = order.behaviour === 'slow' || order.behaviour === 'delayed'
  const opened = (order.refunds[refundNo] ??= {
    ...refund,
    status: isSlow ? 'PROCESSING' : 'SUCCESS',
    queryCount: 0,
    createdAt: clock(),
  })
  order.state = 'REFUND'
  orderStore.save()
  return opened
}

/** A refund in progress is through when it is queried for the second time. */
export function countQuery(refund: Order['refunds'][string]): void {
  refund.queryCount++
  if (refund.queryCount >= 2) {
    refund.status = 'SUCCESS'
  }
}
