import { divideExact, type Exact, type RoundingMode } from './exact.ts'

/**
 * numerator / denominator, unrounded, always reduced; the denominator is above zero. Proration sums n/N
 * over months (PRO-1) and no decimal holds 14/31 + 7/30: fractions stay fractions until the one rounding.
 */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

const greatestCommonDivisor = (a: bigint, b: bigint): bigint => {
  while (b) {
    ;[a, b] = [b, a % b]
  }
  return a < 0n ? -a : a
}

/** A fraction of whole numbers. Throws RangeError when the denominator is zero. */
export function ratio(top: number | bigint, bottom: number | bigint = 1): Ratio {
  let numerator = BigInt(top)
  let denominator = BigInt(bottom)
  if (denominator === 0n) throw new RangeError('除数不能为零')
  if (denominator < 0n) {
    ;[numerator, denominator] = [-numerator, -denominator]
  }
  const g = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / g, denominator: denominator / g }
}

export const ratioOf = ({ units: n, scale: s }: Exact): Ratio => ratio(n, 10n ** BigInt(s))

export const addRatio = (a: Ratio, b: Ratio): Ratio =>
  ratio(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

export const mulRatio = (a: Ratio, b: Ratio): Ratio =>
  ratio(a.numerator * b.numerator, a.denominator * b.denominator)

/** Throws RangeError when b is zero. */
export const divRatio = (a: Ratio, b: Ratio): Ratio =>
  ratio(a.numerator * b.denominator, a.denominator * b.numerator)

export const sumRatios = (list: Iterable<Ratio>): Ratio => {
  let total = ratio(0)
  for (const r of list) {
    total = addRatio(total, r)
  }
  return total
}

/** The one rounding. T-PRO-01: 281.1525 × 14/31 → 126.97. */
export const roundRatio = (r: Ratio, scale: number, mode: RoundingMode = 'half-up'): Exact =>
  divideExact({ units: r.numerator, scale: 0 }, { units: r.denominator, scale: 0 }, scale, mode)
