import { defined } from '#kit/domain/defined.ts'
/**
 * The number n / 10^s. Nothing is lost by adding, subtracting or multiplying; only `divideExact` and
 * `roundExact` decide digits (G-3, FEE-2).
 */
export interface Exact {
  readonly units: bigint
  readonly scale: number
}

/**
 * How the digits that do not fit are dropped, always by magnitude, so that a refund mirrors its charge
 * (FEE-3): half-up away from zero, `ceil` away from zero, `floor` towards zero, half-even to the even digit
 * (四舍六入五成双).
 */
export type RoundingMode = 'half-up' | 'floor' | 'ceil' | 'half-even'

const powersOfTen: bigint[] = [1n]

const tenTo = (exponent: number): bigint => {
  for (let i = powersOfTen.length; i <= exponent; i++) {
    powersOfTen.push(defined(powersOfTen[i - 1]) * 10n)
  }
  return defined(powersOfTen[exponent])
}

const absolute = (n: bigint): bigint => (n < 0n ? -n : n)

/**
 * Digits, one point, one sign; up to 60 characters; no exponent, no separators. Nothing when it is no number.
 */
export function readExact(text: string): Exact | undefined {
  const match = text.length <= 60 ? /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text) : null
  if (!match || !(match[2] || match[3])) return undefined
  const part = match[3] ?? ''
  const n = BigInt(match[2] + part)
  return { units: match[1] === '-' ? -n : n, scale: part.length }
}

/** Like `readExact`, for texts that must be numbers. Throws RangeError. */
export function parseExact(text: string): Exact {
  const x = readExact(text)
  if (!x) throw new RangeError(`“${text.slice(0, 30)}”不是数字`)
  return x
}

/** Plain canonical text: no exponent, no needless zeros, never `-0`. */
export function formatExact({ units, scale }: Exact): string {
  if (scale === 0) return String(units)
  const digits = String(absolute(units)).padStart(scale + 1, '0')
  const part = digits.slice(-scale).replace(/0+$/, '')
  return (units < 0n ? '-' : '') + digits.slice(0, -scale) + (part && '.' + part)
}

/** A whole number. Throws RangeError on a fraction or beyond 2^53, where binary numbers stop being exact. */
export function exactOf(n: number | bigint): Exact {
  if (typeof n === 'number' && !Number.isSafeInteger(n)) throw new RangeError(`${n} 不是可以精确表示的整数`)
  return { units: BigInt(n), scale: 0 }
}

export const zero: Exact = exactOf(0)
export const one: Exact = exactOf(1)

const scaledTo = (x: Exact, s: number): bigint => x.units * tenTo(s - x.scale)

export const addExact = (a: Exact, b: Exact): Exact =>
  a.scale >= b.scale
    ? { units: a.units + scaledTo(b, a.scale), scale: a.scale }
    : { units: scaledTo(a, b.scale) + b.units, scale: b.scale }

export const negateExact = (a: Exact): Exact => ({ units: -a.units, scale: a.scale })
export const subtractExact = (a: Exact, b: Exact): Exact => addExact(a, negateExact(b))
export const multiplyExact = (a: Exact, b: Exact): Exact => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
})

export const sumExact = (list: Iterable<Exact>): Exact => {
  let total = zero
  for (const x of list) {
    total = addExact(total, x)
  }
  return total
}

/** -1, 0 or 1. */
export const compareExact = (a: Exact, b: Exact): -1 | 0 | 1 => {
  const d = subtractExact(a, b).units
  return d < 0n ? -1 : d > 0n ? 1 : 0
}

export const isZero = (a: Exact): boolean => a.units === 0n

/** Whether a quotient is rounded away from zero, by twice its remainder and whether it is odd. */
const roundsAway = (mode: RoundingMode, twiceRemainder: bigint, divisor: bigint, isOdd: boolean): boolean => {
  switch (mode) {
    case 'floor':
      return false
    case 'ceil':
      return twiceRemainder > 0n
    case 'half-up':
      return twiceRemainder >= divisor
    case 'half-even':
      return twiceRemainder > divisor || (twiceRemainder === divisor && isOdd)
  }
}

/** a ÷ b as a whole quotient of bigints, rounded by `mode`. */
function quotient(a: bigint, b: bigint, mode: RoundingMode): bigint {
  const isNegative = a < 0n !== b < 0n
  const dividend = absolute(a)
  const divisor = absolute(b)
  const whole = dividend / divisor
  const twiceRemainder = 2n * (dividend - whole * divisor)
  const rounded = roundsAway(mode, twiceRemainder, divisor, whole % 2n === 1n) ? whole + 1n : whole
  return isNegative ? -rounded : rounded
}

/** To `scale` digits after the point (a negative scale: tens, hundreds …). T-FEE-01: 19.605 → 19.61. */
export function roundExact(x: Exact, scale: number, mode: RoundingMode = 'half-up'): Exact {
  if (x.scale <= scale) return x
  const n = quotient(x.units, tenTo(x.scale - scale), mode)
  return scale < 0 ? { units: n * tenTo(-scale), scale: 0 } : { units: n, scale }
}

/**
 * a ÷ b to `scale` digits (0 or more). Throws RangeError when b is zero. Divide last: the result is rounded
 * (FEE-2).
 */
export function divideExact(a: Exact, b: Exact, scale: number, mode: RoundingMode = 'half-up'): Exact {
  if (b.units === 0n) throw new RangeError('除数不能为零')
  const shift = scale + b.scale - a.scale
  return {
    units:
      shift >= 0
        ? quotient(a.units * tenTo(shift), b.units, mode)
        : quotient(a.units, b.units * tenTo(-shift), mode),
    scale,
  }
}
