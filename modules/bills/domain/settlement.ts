import type { ChoiceOf } from '#kit/contract/field.ts'
import { addFen, displayYuan, maxFen, type Fen, subtractFen } from '#kit/domain/money.ts'
import type { billAfterRefund } from '../contract/choices.ts'
import {
  lateUnpaid,
  unpaidPrincipal,
  withMoney,
  type Bill,
  type BillChange,
  type SettlementRule,
} from './bill.ts'

/** Principal and late fee of one bill in a payment or refund. */
export interface SettledAmount {
  readonly principal: Fen
  readonly late: Fen
}

/**
 * What goes back of one bill; `off`: the round-off that was given with it (PAY-14); `letOff`: what other
 * refunds that abolish it with this one have let off on the way.
 */
export interface RefundedAmount extends SettledAmount {
  readonly off?: Fen
  readonly letOff?: SettledAmount | undefined
}

/** What happens to a late fee that is left when the principal is paid (C3.1, LATE-9). */
export interface SettlementOptions extends SettlementRule {
  readonly waiveLeft?: boolean
}

/** A bill after a payment. Throws RangeError when the payment is more than the bill owes. */
export function applyPayment(
  bill: Bill,
  settled: SettledAmount,
  options: SettlementOptions = {},
): BillChange {
  if (
    settled.principal < 0 ||
    settled.late < 0 ||
    settled.principal > unpaidPrincipal(bill) ||
    settled.late > lateUnpaid(bill)
  )
    throw new RangeError(`账单 ${bill.id} 的缴费金额超过未缴金额`)
  const money = {
    paidPrincipal: addFen(bill.paidPrincipal, settled.principal),
    latePaid: addFen(bill.latePaid, settled.late),
  }
  const rest = lateUnpaid({ ...bill, ...money })
  const clear = unpaidPrincipal({ ...bill, ...money }) === 0
  return {
    ...withMoney(
      bill,
      {
        ...money,
        ...(options.waiveLeft && clear && rest > 0 ? { lateWaived: addFen(bill.lateWaived, rest) } : {}),
      },
      options,
    ),
    lockedUntil: undefined,
  }
}

/** With the last refund of an abolished bill nothing was let off: all of it went back. */
const asBefore = (
  bill: Bill,
  money: { readonly paidPrincipal: Fen; readonly latePaid: Fen; readonly discount?: Fen },
  letOff: SettledAmount = { principal: 0, late: 0 },
) => ({
  ...money,
  discount: maxFen(0, subtractFen(money.discount ?? bill.discount, letOff.principal)),
  lateWaived: maxFen(0, subtractFen(bill.lateWaived, letOff.late)),
})

/**
 * A bill after a refund (REF-2, REF-5): owed again, abolished, or kept as paid with the sum booked as
 * discount and waiver. The round-off goes back with it, so that the bill owes what it owed before; one that
 * is kept as paid keeps it. Returns a refusal as text. T-REF-01, T-REF-02.
 */
export function applyRefund(
  bill: Bill,
  standard: RefundedAmount,
  after: ChoiceOf<typeof billAfterRefund>,
  options: SettlementOptions = {},
): BillChange | string {
  if (standard.principal < 0 || standard.late < 0 || standard.principal + standard.late === 0)
    return '退款金额应大于零'
  if (standard.principal > bill.paidPrincipal || standard.late > bill.latePaid)
    return `退款超过已收：本金最多 ${displayYuan(bill.paidPrincipal)} 元，违约金最多 ${displayYuan(bill.latePaid)} 元`
  const paid = {
    paidPrincipal: subtractFen(bill.paidPrincipal, standard.principal),
    latePaid: subtractFen(bill.latePaid, standard.late),
  }
  const money =
    after === 'kept' || standard.off === undefined
      ? paid
      : { ...paid, discount: subtractFen(bill.discount, standard.off) }
  const refundState = money.paidPrincipal === 0 && money.latePaid === 0 ? 'full' : 'part'
  if (after === 'abolished')
    return refundState === 'full'
      ? {
          ...withMoney(bill, asBefore(bill, money, standard.letOff), options),
          refundState,
          state: 'abolished',
        }
      : '同时作废账单须退还该账单的全部已收金额'
  const kept =
    after === 'kept'
      ? {
          discount: addFen(bill.discount, standard.principal),
          lateWaived: addFen(bill.lateWaived, standard.late),
        }
      : {}
  return { ...withMoney(bill, { ...money, ...kept }, options), refundState }
}
