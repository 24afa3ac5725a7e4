import type { MerchantOrderState } from '../contract/choices.ts'

/** What the bills of an order say; none is there any more, or all of them are paid, or one is owed. */
export interface BillFacts {
  readonly count: number
  readonly isPaid: boolean
}

/** An order follows its bills: once paid, an order whose bills are gone was refunded. */
export function stateOfBills({ count, isPaid }: BillFacts, before: MerchantOrderState): MerchantOrderState {
  if (count === 0) return before === 'pending' || before === 'cancelled' ? 'cancelled' : 'refunded'
  return isPaid ? 'paid' : 'pending'
}
