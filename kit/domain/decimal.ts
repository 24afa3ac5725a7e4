import * as exact from './exact.ts'
import { parseExact, formatExact, type Exact, type RoundingMode } from './exact.ts'
import { boundedFen, type Fen } from './money.ts'

export { parseExact, formatExact, type Exact, type RoundingMode } from './exact.ts'

/**
 * An exact decimal as plain canonical text (`98.65`): what rows, forms and the wire hold (G-3).
 * For long sums work on `Exact` (exact.ts), for sums of fractions on `Ratio` (ratio.ts), and write text once.
 */
export type Decimal = string & { readonly unit?: 'dec' }

const liftExact =
  (f: (a: Exact, b: Exact) => Exact) =>
  (a: Decimal, b: Decimal): Decimal =>
    formatExact(f(parseExact(a), parseExact(b)))

/**
 * Canonical text of a decimal as people type it: `+01.50` → `1.5`. Throws RangeError when it is no number.
 */
export const parseDecimal = (s: string): Decimal => formatExact(parseExact(s.trim()))

/** Of a whole number within 2^53. Throws RangeError on a fraction: a binary 19.605 is already wrong. */
export const decimalOf = (n: number | bigint): Decimal => formatExact(exact.exactOf(n))
export const isDecimal = (s: string): boolean => exact.readExact(s) !== undefined

export const add = liftExact(exact.addExact)
export const sub = liftExact(exact.subtractExact)
export const mul = liftExact(exact.multiplyExact)

export const sum = (list: Iterable<Decimal>): Decimal => {
  let total = exact.zero
  for (const d of list) {
    total = exact.addExact(total, parseExact(d))
  }
  return formatExact(total)
}

export const negate = (a: Decimal): Decimal => formatExact(exact.negateExact(parseExact(a)))

/** a ÷ b to `scale` digits. Throws RangeError when b is zero. */
export const div = (a: Decimal, b: Decimal, scale: number, mode: RoundingMode = 'half-up'): Decimal =>
  formatExact(exact.divideExact(parseExact(a), parseExact(b), scale, mode))

/** To `scale` digits, by magnitude (FEE-3). T-FEE-02: 223.575 → 223.58, floor 223.57. */
export const round = (a: Decimal, scale: number, mode: RoundingMode = 'half-up'): Decimal =>
  formatExact(exact.roundExact(parseExact(a), scale, mode))

/** -1, 0 or 1, by value: `1.50` equals `1.5`. */
export const compare = (a: Decimal, b: Decimal): -1 | 0 | 1 =>
  exact.compareExact(parseExact(a), parseExact(b))

/**
 * With exactly `scale` digits, for columns of one width: toFixed('2.5', 4) → 2.5000. Rounds half-up what is
 * longer.
 */
export function toFixed(a: Decimal, scale: number): string {
  const t = round(a, scale)
  const [head, part = ''] = t.split('.')
  return scale > 0 ? `${head}.${part.padEnd(scale, '0')}` : t
}

/**
 * Yuan as an exact number → whole fen: the one rounding of a bill line (FEE-2, FEE-4). Throws RangeError
 * outside DECIMAL(14,2).
 */
export const exactToFen = (yuan: Exact, mode: RoundingMode = 'half-up'): Fen => {
  const { units: n, scale: s } = exact.roundExact(yuan, 2, mode)
  return boundedFen(n * 10n ** BigInt(2 - s))
}

export const fenToExact = (fen: Fen): Exact => ({ units: exact.exactOf(fen).units, scale: 2 })
export const toFen = (yuan: Decimal, mode: RoundingMode = 'half-up'): Fen =>
  exactToFen(parseExact(yuan), mode)
export const fromFen = (fen: Fen): Decimal => formatExact(fenToExact(fen))
