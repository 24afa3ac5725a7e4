import { add, compare, div, mul, round, sub, sum, toFen, type Decimal } from '#kit/domain/decimal.ts'
import { addFen, sumFen, type Fen } from '#kit/domain/money.ts'

/** Quantity × unit price, rounded once, half-up to the fen (FEE-2). */
export const amountOf = (quantity: Decimal, price: Decimal): Fen => toFen(mul(quantity, price))

export const totalOf = (lines: readonly { readonly amount: Fen }[]): Fen => sumFen(lines.map(l => l.amount))

export const sumQuantity = (quantities: Iterable<Decimal>): Decimal => sum(quantities)

const maxOf = (a: Decimal, b: Decimal): Decimal => (compare(a, b) >= 0 ? a : b)

/** a − b, and nothing where b is more. */
export const remainderOf = (a: Decimal, b: Decimal): Decimal => maxOf('0', sub(a, b))

export const isPositive = (a: Decimal): boolean => compare(a, '0') > 0

/** What may arrive in all of what was ordered: the tolerance in per cent, to three decimals (STK-4). */
export const receivableOf = (ordered: Decimal, tolerance: Decimal): Decimal =>
  round(add(ordered, div(mul(ordered, tolerance), '100', 6, 'floor')), 3, 'floor')

interface Committed {
  readonly totalAmount: Fen
  readonly orderedAmount: Fen
  readonly lines: readonly {
    readonly quantity: Decimal
    readonly price: Decimal
    readonly orderedQuantity: Decimal
  }[]
}

/** What a request comes to: what is ordered of it at the price of the orders, the rest as estimated. */
export function wholeAmountOf({ totalAmount, orderedAmount, lines }: Committed): Fen {
  const rest = lines.map(({ quantity, price, orderedQuantity }) =>
    amountOf(remainderOf(quantity, orderedQuantity), price),
  )
  const whole = addFen(orderedAmount, ...rest)
  return whole > totalAmount ? whole : totalAmount
}
