import type { Fen } from '#kit/domain/money.ts'

/**
 * Sums a customer is likely to hand over for an amount: exact, then the next ten, fifty, hundred and five
 * hundred yuan, each once.
 */
export function suggestCashAmounts(due: Fen): Fen[] {
  const up = (unit: number): Fen => Math.ceil(due / unit) * unit
  return [...new Set([due, up(1000), up(5000), up(10_000), up(50_000)])].slice(0, 4)
}
