import { divideExact, readExact, formatExact, type Exact, type RoundingMode } from '#kit/domain/exact.ts'
import type { Decimal } from '#kit/domain/decimal.ts'

/**
 * A numerator over a positive denominator, exact like kit's Ratio but never reduced: a fee takes a few steps,
 * and reducing after each one would cost several times the arithmetic. One rounding ends it (FEE-2).
 */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

const powersOfTen = Array.from({ length: 61 }, (_, i) => 10n ** BigInt(i))

export const fraction = (top: number | bigint, bottom: number | bigint = 1): Fraction => ({
  numerator: BigInt(top),
  denominator: BigInt(bottom),
})

export const fractionOf = ({ units: n, scale: s }: Exact): Fraction => ({
  numerator: n,
  denominator: powersOfTen[s] ?? 10n ** BigInt(s),
})

/** A decimal text as a fraction; nothing when it is no number. */
export function readFraction(dec: Decimal): Fraction | undefined {
  const x = readExact(dec)
  return x && fractionOf(x)
}

/** Like `readFraction`, for texts that must be numbers. Throws RangeError. */
export function parseFraction(dec: Decimal): Fraction {
  const x = readFraction(dec)
  if (!x) throw new RangeError(`“${dec.slice(0, 30)}”不是数字`)
  return x
}

export const zero: Fraction = fraction(0)
export const one: Fraction = fraction(1)

export const add = (a: Fraction, b: Fraction): Fraction =>
  a.denominator === b.denominator
    ? { numerator: a.numerator + b.numerator, denominator: a.denominator }
    : {
        numerator: a.numerator * b.denominator + b.numerator * a.denominator,
        denominator: a.denominator * b.denominator,
      }

export const subtract = (a: Fraction, b: Fraction): Fraction =>
  a.denominator === b.denominator
    ? { numerator: a.numerator - b.numerator, denominator: a.denominator }
    : {
        numerator: a.numerator * b.denominator - b.numerator * a.denominator,
        denominator: a.denominator * b.denominator,
      }

export const multiply = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})

export const negate = (a: Fraction): Fraction => ({ numerator: -a.numerator, denominator: a.denominator })

/** a ÷ b; the caller has made sure that b is not zero. */
export const divide = (a: Fraction, b: Fraction): Fraction =>
  b.numerator < 0n
    ? { numerator: -a.numerator * b.denominator, denominator: a.denominator * -b.numerator }
    : { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator }

/** Negative, zero or positive as a is below, equal to or above b. */
export const compare = (a: Fraction, b: Fraction): number => {
  const divisor =
    a.denominator === b.denominator
      ? a.numerator - b.numerator
      : a.numerator * b.denominator - b.numerator * a.denominator
  return divisor < 0n ? -1 : divisor > 0n ? 1 : 0
}

/** To `scale` digits (0 or more), by magnitude (FEE-3). */
export const roundTo = (a: Fraction, scale: number, mode: RoundingMode = 'half-up'): Exact =>
  divideExact({ units: a.numerator, scale: 0 }, { units: a.denominator, scale: 0 }, scale, mode)

/** Plain decimal text; what no ten digits hold is rounded to ten. */
export function formatFraction(a: Fraction): Decimal {
  if (a.denominator === 1n) return String(a.numerator)
  return formatExact(roundTo(a, 10))
}
