import { over, readExact, text, type Exact, type Mode } from '#kit/domain/exact.ts'
import type { Dec } from '#kit/domain/decimal.ts'

/**
 * top / bottom, bottom above zero, exact like kit's Ratio but never reduced: a fee takes a few steps, and
 * reducing after each one would cost several times the arithmetic. One rounding ends it (FEE-2).
 */
export interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

const tens = Array.from({ length: 61 }, (_, i) => 10n ** BigInt(i))

export const fraction = (top: number | bigint, bottom: number | bigint = 1): Fraction => ({
  top: BigInt(top),
  bottom: BigInt(bottom),
})

export const fractionOf = ({ n, s }: Exact): Fraction => ({ top: n, bottom: tens[s] ?? 10n ** BigInt(s) })

/** A decimal text as a fraction; nothing when it is no number. */
export function readFraction(dec: Dec): Fraction | undefined {
  const x = readExact(dec)
  return x && fractionOf(x)
}

/** As `readFraction`, for texts that must be numbers. Throws RangeError. */
export function parseFraction(dec: Dec): Fraction {
  const x = readFraction(dec)
  if (!x) throw new RangeError(`“${dec.slice(0, 30)}”不是数字`)
  return x
}

export const nought: Fraction = fraction(0)
export const unit: Fraction = fraction(1)

export const plus = (a: Fraction, b: Fraction): Fraction =>
  a.bottom === b.bottom
    ? { top: a.top + b.top, bottom: a.bottom }
    : { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }

export const minus = (a: Fraction, b: Fraction): Fraction =>
  a.bottom === b.bottom
    ? { top: a.top - b.top, bottom: a.bottom }
    : { top: a.top * b.bottom - b.top * a.bottom, bottom: a.bottom * b.bottom }

export const times = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.top,
  bottom: a.bottom * b.bottom,
})

export const negated = (a: Fraction): Fraction => ({ top: -a.top, bottom: a.bottom })

/** a ÷ b; the caller has made sure that b is not zero. */
export const divided = (a: Fraction, b: Fraction): Fraction =>
  b.top < 0n
    ? { top: -a.top * b.bottom, bottom: a.bottom * -b.top }
    : { top: a.top * b.bottom, bottom: a.bottom * b.top }

/** Negative, zero or positive as a is below, equal to or above b. */
export const compared = (a: Fraction, b: Fraction): number => {
  const d = a.bottom === b.bottom ? a.top - b.top : a.top * b.bottom - b.top * a.bottom
  return d < 0n ? -1 : d > 0n ? 1 : 0
}

/** To `scale` digits (0 or more), by magnitude (FEE-3). */
export const roundedTo = (a: Fraction, scale: number, mode: Mode = 'half-up'): Exact =>
  over({ n: a.top, s: 0 }, { n: a.bottom, s: 0 }, scale, mode)

/** Plain decimal text; what no ten digits hold is rounded to ten. */
export function written(a: Fraction): Dec {
  if (a.bottom === 1n) return String(a.top)
  return text(roundedTo(a, 10))
}
