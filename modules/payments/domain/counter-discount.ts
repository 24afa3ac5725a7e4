import { exactToFen, fenToExact, type Decimal } from '#kit/domain/decimal.ts'
import { multiplyExact, parseExact } from '#kit/domain/exact.ts'
import { addFen, displayYuan, type Fen, subtractFen } from '#kit/domain/money.ts'

/** A bill at the counter, fen. */
export interface DiscountableBill {
  readonly receivable: Fen
  /** What was let off before: a new discount replaces it. */
  readonly discount: Fen
  readonly paid: Fen
}

/** A discount while it is typed; an incomplete one has no sum. */
export interface TypedDiscount {
  readonly kind?: 'amount' | 'rate' | undefined
  readonly amount?: Fen | undefined
  readonly percent?: Decimal | undefined
}

/** What was billed before any discount. */
const amountOf = (bill: DiscountableBill): Fen => addFen(bill.receivable, bill.discount)

/** At most what is billed and not paid. */
export const maxDiscountOf = (bill: DiscountableBill): Fen => subtractFen(amountOf(bill), bill.paid)

/**
 * What a bill is let off, as the server computes it: a percentage of the amount billed, rounded once.
 * T-BILL-01: 15 % of 326.45 → 48.97.
 */
export function discountOf(
  bill: DiscountableBill,
  { kind, amount, percent }: TypedDiscount,
): Fen | undefined {
  if (kind !== 'rate') return amount
  if (percent === undefined) return undefined
  const fraction = multiplyExact(parseExact(percent), parseExact('0.01'))
  return exactToFen(multiplyExact(fenToExact(amountOf(bill)), fraction))
}

/** Why a discount cannot be given, naming the first bill that is too small for it. */
export function findDiscountFault(
  bills: readonly (DiscountableBill & { readonly feeItemName: string; readonly period: string })[],
  typed: TypedDiscount,
): { readonly key: 'amount' | 'percent'; readonly message: string } | undefined {
  const isRate = typed.kind === 'rate'
  const key = isRate ? 'percent' : 'amount'
  if ((isRate ? typed.percent : typed.amount) === undefined)
    return { key, message: isRate ? '请填写减免比例，0 到 100' : '请填写减免金额' }
  const tooSmall = bills.find(bill => (discountOf(bill, typed) ?? 0) > maxDiscountOf(bill))
  if (!tooSmall) return undefined
  const name = `「${tooSmall.feeItemName} ${tooSmall.period}」`
  return { key, message: `${name}最多可减免 ${displayYuan(maxDiscountOf(tooSmall))} 元` }
}
