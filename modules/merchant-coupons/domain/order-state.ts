import type { MerchantOrderState } from '../contract/choices.ts'

/** What the bills of an order say; none is there any more, or all of them are paid, or one is owed. */
export interface BillFacts {
  readonly count: number
  readonly isPaid: boolean
}

interface BoughtQty {
  readonly totalQty: number
  readonly refundedQty: number
}

/** An order that was paid, by how much of it went back. */
export function stateOfReturns({ totalQty, refundedQty }: BoughtQty): MerchantOrderState {
  if (refundedQty === 0) return 'paid'
  return refundedQty < totalQty ? 'partRefunded' : 'refunded'
}

/** An order follows its bills: once paid, an order whose bills are gone was refunded. */
export function stateOfBills({ count, isPaid }: BillFacts, order: OrderFacts): MerchantOrderState {
  if (count === 0) return order.state === 'pending' || order.state === 'cancelled' ? 'cancelled' : 'refunded'
  return isPaid ? stateOfReturns(order) : 'pending'
}

interface OrderFacts extends BoughtQty {
  readonly state: MerchantOrderState
}

/** The merchant has the coupons of these orders, but for those that went back. */
export const isBought = (state: MerchantOrderState): boolean => state === 'paid' || state === 'partRefunded'
