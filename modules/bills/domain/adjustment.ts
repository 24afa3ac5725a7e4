import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import { exactToFen, fenToExact, type Decimal } from '#kit/domain/decimal.ts'
import { parseExact, formatExact, multiplyExact } from '#kit/domain/exact.ts'
import {
  addFen,
  asFen,
  displayYuan,
  type Fen,
  maxFen,
  minFen,
  subtractFen,
  sumFen,
} from '#kit/domain/money.ts'
import {
  lateUnpaid,
  receivable,
  unpaidPrincipal,
  withMoney,
  type Bill,
  type BillChange,
  type SettlementRule,
} from './bill.ts'

/** 15 (%) is 0.15, exactly. */
export const percentToFraction = (percent: Decimal): Decimal =>
  formatExact(multiplyExact(parseExact(percent), parseExact('0.01')))

/** A discount: an amount in fen, or a fraction of the amount (`0.15`). It replaces an earlier one. */
export type Discount =
  | { readonly kind: 'amount'; readonly off: Fen }
  | { readonly kind: 'rate'; readonly off: Decimal }

/**
 * The bill with a discount, or a refusal as text. 0 ≤ discount ≤ amount − paid principal. T-BILL-01: 15 %
 * of 326.45 → 48.97, receivable 277.48.
 */
export function applyDiscount(
  bill: Bill,
  discount: Discount,
  rule: SettlementRule = {},
): BillChange | string {
  const off =
    discount.kind === 'amount'
      ? discount.off
      : exactToFen(multiplyExact(fenToExact(bill.amount), parseExact(discount.off)))
  const maxDiscount = subtractFen(bill.amount, bill.paidPrincipal)
  return off >= 0 && off <= maxDiscount
    ? withMoney(bill, { discount: off }, rule)
    : `减免金额应在 0 到 ${displayYuan(maxDiscount)} 元之间`
}

/** BILL-4; `refusal('editAmount')` is checked before. */
export const changeAmount = (b: Bill, amount: Fen): BillChange | string =>
  amount > 0 && amount <= 9_999_999_999 && amount >= b.discount
    ? withMoney(b, { amount })
    : `金额应大于零、不小于已减免的 ${displayYuan(b.discount)} 元，且不超过 99999999.99 元`

/**
 * Adjusts the late fee (LATE-8). `accrued`: the automatically computed late fee of today. Returns a
 * refusal as text.
 */
export type LateFeeAdjustment =
  | { readonly kind: 'waive'; readonly amount: Fen }
  | { readonly kind: 'fix'; readonly amount: Fen }
  | { readonly kind: 'auto'; readonly accrued: Fen }

export function adjustLateFee(
  bill: Bill,
  adjustment: LateFeeAdjustment,
  rule: SettlementRule = {},
): BillChange | string {
  const settled = addFen(bill.latePaid, bill.lateWaived)
  if (adjustment.kind === 'waive')
    return adjustment.amount > 0 && adjustment.amount <= lateUnpaid(bill)
      ? withMoney(bill, { lateWaived: addFen(bill.lateWaived, adjustment.amount) }, rule)
      : `减免的违约金应大于零且不超过未收的 ${displayYuan(lateUnpaid(bill))} 元`
  if (adjustment.kind === 'fix')
    return adjustment.amount >= 0 && adjustment.amount <= 9_999_999_999
      ? withMoney(bill, { lateDue: addFen(settled, adjustment.amount), lateManual: true }, rule)
      : '违约金应不小于零且不超过 99999999.99 元'
  return withMoney(bill, { lateDue: maxFen(adjustment.accrued, settled), lateManual: false }, rule)
}

/** One half of a split bill: its period, due date and share of the money. */
export type BillHalf = Pick<
  Bill,
  'begin' | 'end' | 'dueDate' | 'amount' | 'discount' | 'lateWaived' | 'lateManual' | 'lateDue'
>

/** `whole` fen × numerator ÷ denominator, rounded half up. */
const shareOf = (whole: Fen, numerator: number, denominator: number): Fen =>
  asFen(Number((2n * BigInt(whole) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator))))

const toHalves = (
  bill: Bill,
  first: Fen,
  numerator: number,
  denominator: number,
): readonly [BillHalf, BillHalf] => {
  const discount = shareOf(bill.discount, numerator, denominator)
  const waived = shareOf(bill.lateWaived, numerator, denominator)
  const fixed = bill.lateManual ? maxFen(shareOf(bill.lateDue, numerator, denominator), waived) : waived
  const original = { begin: bill.begin, end: bill.end, dueDate: bill.dueDate, lateManual: bill.lateManual }
  // A waived late fee stays waived after the split: each half is computed again, never below what was
  // waived.
  return [
    { ...original, amount: addFen(first, discount), discount, lateWaived: waived, lateDue: fixed },
    {
      ...original,
      amount: subtractFen(bill.amount, first, discount),
      discount: subtractFen(bill.discount, discount),
      lateWaived: subtractFen(bill.lateWaived, waived),
      lateDue: bill.lateManual ? subtractFen(bill.lateDue, fixed) : subtractFen(bill.lateWaived, waived),
    },
  ]
}

/**
 * Splits by date (BILL-12; begin < on ≤ end): the first half is receivable × days before ÷ days, the
 * second the rest, the discount in the same ratio. The halves always add up. Returns a refusal as text.
 */
export function splitByDate(
  bill: Bill,
  on: Day,
  secondDue: Day = bill.dueDate,
): readonly [BillHalf, BillHalf] | string {
  if (on <= bill.begin || on > bill.end) return `拆分日期应在 ${addDays(bill.begin, 1)} 到 ${bill.end} 之间`
  const before = daysBetween(bill.begin, on)
  const days = daysBetween(bill.begin, bill.end) + 1
  const [firstHalf, secondHalf] = toHalves(bill, shareOf(receivable(bill), before, days), before, days)
  return [
    { ...firstHalf, end: addDays(on, -1) },
    { ...secondHalf, begin: on, dueDate: secondDue },
  ]
}

/** Splits by amount (BILL-12): 0 < a < unpaid principal; both halves keep the period. */
export function splitByAmount(
  bill: Bill,
  amount: Fen,
  secondDue: Day = bill.dueDate,
): readonly [BillHalf, BillHalf] | string {
  if (!(Number.isInteger(amount) && amount > 0 && amount < unpaidPrincipal(bill)))
    return `拆分金额应大于零且小于 ${displayYuan(unpaidPrincipal(bill))} 元`
  const [firstHalf, secondHalf] = toHalves(bill, amount, amount, receivable(bill))
  return [firstHalf, { ...secondHalf, dueDate: secondDue }]
}

/**
 * Merges halves: discounts and waivers decided since the split are added to the whole. Returns a refusal as
 * text.
 */
export function mergeHalves(
  bill: Bill,
  parts: readonly Bill[],
  rule: SettlementRule = {},
): BillChange | string {
  const sum = (key: 'amount' | 'discount' | 'lateWaived' | 'lateDue'): Fen => sumFen(parts.map(p => p[key]))
  const fixed = parts.filter(p => p.lateManual).length
  if (fixed && fixed < parts.length) return '拆分出的账单有的违约金已定额，请先恢复自动再合并'
  return {
    ...(parts.some(p => p.refundState !== 'none') ? { refundState: 'full' } : {}),
    ...withMoney(
      bill,
      {
        amount: sum('amount'),
        discount: sum('discount'),
        lateWaived: sum('lateWaived'),
        lateManual: fixed > 0,
        lateDue: fixed ? sum('lateDue') : sum('lateWaived'),
      },
      rule,
    ),
  }
}

/** What ending the charge on a day does to one bill (CYC-9). */
export type ChargeEnding =
  | { readonly kind: 'none' }
  | { readonly kind: 'abolish' }
  | { readonly kind: 'splitAndAbolish'; readonly on: Day }
  | { readonly kind: 'credit'; readonly discount: Fen; readonly toPrestore: Fen }

/**
 * An unpaid bill is split at the end and its tail abolished; for a paid one the remaining days are
 * proposed as a credit, first against what is still owed.
 */
export function decideEnding(bill: Bill, last: Day): ChargeEnding {
  if (bill.end <= last || bill.deleted || bill.state !== 'normal') return { kind: 'none' }
  const tail =
    bill.begin > last
      ? receivable(bill)
      : subtractFen(
          receivable(bill),
          shareOf(receivable(bill), daysBetween(bill.begin, last) + 1, daysBetween(bill.begin, bill.end) + 1),
        )
  if (bill.paidPrincipal === 0 && bill.latePaid === 0)
    return bill.begin > last ? { kind: 'abolish' } : { kind: 'splitAndAbolish', on: addDays(last, 1) }
  const discount = minFen(tail, unpaidPrincipal(bill))
  return { kind: 'credit', discount, toPrestore: subtractFen(tail, discount) }
}
