import { asFen, type Fen } from '#kit/domain/money.ts'

/**
 * Sums a customer is likely to hand over for an amount: exact, then the next ten, fifty, hundred and five
 * hundred yuan, each once.
 */
export function suggestCashAmounts(due: Fen): Fen[] {
  const roundUpTo = (unit: number): Fen => asFen(Math.ceil(due / unit) * unit)
  return [...new Set([due, roundUpTo(1000), roundUpTo(5000), roundUpTo(10_000), roundUpTo(50_000)])].slice(
    0,
    4,
  )
}
