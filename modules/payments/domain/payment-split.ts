import type { Id } from '#kit/domain/id.ts'
import { addFen, minFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { judgeTender, type RoundedDue, type TenderedMoney } from './tender-sums.ts'

/** What one bill owes at the time of payment, fen. */
export interface BillDue {
  readonly billId: Id
  readonly principal: Fen
  readonly late: Fen
}

/** What one bill gets, and what is let off of its principal, fen (PAY-14). */
export interface BillShare extends BillDue {
  readonly off?: Fen
}

export interface AmountDue {
  readonly principal: Fen
  readonly late: Fen
  readonly total: Fen
}

export const sumDue = (bills: readonly Pick<BillDue, 'principal' | 'late'>[]): AmountDue => {
  const principal = sumFen(bills.map(b => b.principal))
  const late = sumFen(bills.map(b => b.late))
  return { principal, late, total: addFen(principal, late) }
}

export interface PaymentSplit {
  readonly allocations: readonly BillShare[]
  readonly change: Fen
  readonly toPrestore: Fen
  readonly roundedOff: Fen
  readonly remaining: Fen
}

/**
 * How money meets selected bills (PAY-10 to PAY-15), which come in the order of PAY-10: what covers them pays
 * each whole, with the rounding let off from the back; what does not is spread by `allocatePartial`, the
 * project's order (PAY-11, PAY-12). Returns why not as a text. Σ shares + change + toPrestore = tendered.
 */
export function splitPayment(
  bills: readonly BillDue[],
  due: RoundedDue,
  money: TenderedMoney,
  allocatePartial: (amount: Fen) => readonly BillShare[] | string,
): PaymentSplit | string {
  const { shortfall, ...outcome } = judgeTender(due, money)
  const allocations = shortfall ? allocatePartial(money.tendered) : letOff(bills, due.off)
  return typeof allocations === 'string' ? allocations : { allocations, ...outcome }
}

/** Every bill in full, but for what is let off of the last principals (PAY-14). */
function letOff(bills: readonly BillDue[], discount: Fen): readonly BillShare[] | string {
  let remaining = discount
  const shares: BillShare[] = []
  for (const bill of bills.filter(b => b.principal + b.late > 0).toReversed()) {
    const offHere = minFen(remaining, bill.principal)
    remaining = subtractFen(remaining, offHere)
    shares.push({ ...bill, principal: subtractFen(bill.principal, offHere), off: offHere })
  }
  return remaining > 0 ? '抹零金额大于本金，请取消抹零' : shares.toReversed()
}

/** What a payment leaves of its bills; `unpaid` in fen. */
export interface BillsAfterPayment {
  readonly settledCount: number
  readonly unsettledCount: number
  readonly unpaid: Fen
}

/**
 * How many of the bills their shares settle, and what the others still owe (PAY-12). With `waivesLate` a bill
 * whose principal is paid owes no late fee either (LATE-9).
 */
export function billsAfterPayment(
  bills: readonly BillDue[],
  shares: readonly BillShare[],
  waivesLate: boolean,
): BillsAfterPayment {
  const shareByBill = new Map(shares.map(share => [share.billId, share]))
  const rest = bills.map(bill => {
    const share = shareByBill.get(bill.billId)
    if (!share) return addFen(bill.principal, bill.late)
    const principal = subtractFen(bill.principal, share.principal, share.off ?? 0)
    const late = subtractFen(bill.late, share.late)
    return principal === 0 && waivesLate ? 0 : addFen(principal, late)
  })
  const unsettledCount = rest.filter(fen => fen > 0).length
  return { settledCount: bills.length - unsettledCount, unsettledCount, unpaid: sumFen(rest) }
}

/**
 * What was let off of each bill when a payment is taken again as it was (PAY-14): in the same order, from the
 * back, at most what the bill owes beyond the paid principal. Returns undefined where the bills no longer
 * have room for all of it.
 */
export function restoreRoundOff(
  paid: readonly BillDue[],
  owedPrincipal: ReadonlyMap<Id, Fen>,
  roundOff: Fen,
): readonly BillShare[] | undefined {
  let remaining = roundOff
  const shares: BillShare[] = []
  for (const bill of paid.toReversed()) {
    const owed = owedPrincipal.get(bill.billId) ?? bill.principal
    const off = minFen(remaining, subtractFen(owed, bill.principal))
    remaining = subtractFen(remaining, off)
    shares.push({ ...bill, off })
  }
  return remaining > 0 ? undefined : shares.toReversed()
}
