import * as exact from './exact.ts'
import { parseExact, formatExact, type Exact, type RoundingMode } from './exact.ts'
import { boundedFen, type Fen } from './money.ts'

export { parseExact, formatExact, type Exact, type RoundingMode } from './exact.ts'

/**
 * An exact decimal as plain canonical text (`98.65`): what rows, forms and the wire hold (G-3).
 * For long sums work on `Exact` (exact.ts), for sums of fractions on `Ratio` (ratio.ts), and write text once.
 */
export type Dec = string & { readonly unit?: 'dec' }

const liftExact =
  (f: (a: Exact, b: Exact) => Exact) =>
  (a: Dec, b: Dec): Dec =>
    formatExact(f(parseExact(a), parseExact(b)))

/**
 * Canonical text of a decimal as people type it: `+01.50` → `1.5`. Throws RangeError when it is no number.
 */
export const dec = (s: string): Dec => formatExact(parseExact(s.trim()))

/** Of a whole number within 2^53. Throws RangeError on a fraction: a binary 19.605 is already wrong. */
export const decOf = (n: number | bigint): Dec => formatExact(exact.exactOf(n))
export const isDec = (s: string): boolean => exact.readExact(s) !== undefined

export const add = liftExact(exact.addExact)
export const sub = liftExact(exact.subtractExact)
export const mul = liftExact(exact.multiplyExact)

export const sum = (list: Iterable<Dec>): Dec => {
  let total = exact.zero
  for (const d of list) {
    total = exact.addExact(total, parseExact(d))
  }
  return formatExact(total)
}

export const negate = (a: Dec): Dec => formatExact(exact.negateExact(parseExact(a)))

/** a ÷ b to `scale` digits. Throws RangeError when b is zero. */
export const div = (a: Dec, b: Dec, scale: number, mode: RoundingMode = 'half-up'): Dec =>
  formatExact(exact.divideExact(parseExact(a), parseExact(b), scale, mode))

/** To `scale` digits, by magnitude (FEE-3). T-FEE-02: 223.575 → 223.58, floor 223.57. */
export const round = (a: Dec, scale: number, mode: RoundingMode = 'half-up'): Dec =>
  formatExact(exact.roundExact(parseExact(a), scale, mode))

/** -1, 0 or 1, by value: `1.50` equals `1.5`. */
export const compare = (a: Dec, b: Dec): -1 | 0 | 1 => exact.compareExact(parseExact(a), parseExact(b))

/**
 * With exactly `scale` digits, for columns of one width: toFixed('2.5', 4) → 2.5000. Rounds half-up what is
 * longer.
 */
export function toFixed(a: Dec, scale: number): string {
  const t = round(a, scale)
  const [head, part = ''] = t.split('.')
  return scale > 0 ? `${head}.${part.padEnd(scale, '0')}` : t
}

/**
 * Yuan as an exact number → whole fen: the one rounding of a bill line (FEE-2, FEE-4). Throws RangeError
 * outside DECIMAL(14,2).
 */
export const exactToFen = (yuan: Exact, mode: RoundingMode = 'half-up'): Fen => {
  const { n, s } = exact.roundExact(yuan, 2, mode)
  return boundedFen(n * 10n ** BigInt(2 - s))
}

export const fenToExact = (fen: Fen): Exact => ({ n: exact.exactOf(fen).n, s: 2 })
export const toFen = (yuan: Dec, mode: RoundingMode = 'half-up'): Fen => exactToFen(parseExact(yuan), mode)
export const fromFen = (fen: Fen): Dec => formatExact(fenToExact(fen))
