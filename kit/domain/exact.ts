/**
 * The number n / 10^s. Nothing is lost by adding, subtracting or multiplying; only `over` and `rounded`
 * decide digits (G-3, FEE-2).
 */
export interface Exact {
  readonly n: bigint
  readonly s: number
}

/**
 * How the digits that do not fit are dropped, always by magnitude, so that a refund mirrors its charge
 * (FEE-3): half-up away from zero, `ceil` away from zero, `floor` towards zero, half-even to the even digit
 * (四舍六入五成双).
 */
export type Mode = 'half-up' | 'floor' | 'ceil' | 'half-even'

const powers: bigint[] = [1n]

const tenTo = (e: number): bigint => {
  for (let i = powers.length; i <= e; i++) {
    powers.push(powers[i - 1]! * 10n)
  }
  return powers[e]!
}

const sized = (n: bigint): bigint => (n < 0n ? -n : n)

/**
 * Digits, one point, one sign; up to 60 characters; no exponent, no separators. Nothing when it is no number.
 */
export function readExact(text: string): Exact | undefined {
  const m = text.length <= 60 ? /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text) : null
  if (!m || !(m[2] || m[3])) return undefined
  const part = m[3] ?? ''
  const n = BigInt(m[2]! + part)
  return { n: m[1] === '-' ? -n : n, s: part.length }
}

/** As `readExact`, for texts that must be numbers. Throws RangeError. */
export function parse(text: string): Exact {
  const x = readExact(text)
  if (!x) throw new RangeError(`“${text.slice(0, 30)}”不是数字`)
  return x
}

/** Plain canonical text: no exponent, no needless zeros, never `-0`. */
export function text({ n, s }: Exact): string {
  if (s === 0) return String(n)
  const digits = String(sized(n)).padStart(s + 1, '0')
  const part = digits.slice(-s).replace(/0+$/, '')
  return (n < 0n ? '-' : '') + digits.slice(0, -s) + (part && '.' + part)
}

/** A whole number. Throws RangeError on a fraction or beyond 2^53, where binary numbers stop being exact. */
export function whole(n: number | bigint): Exact {
  if (typeof n === 'number' && !Number.isSafeInteger(n)) throw new RangeError(`${n} 不是可以精确表示的整数`)
  return { n: BigInt(n), s: 0 }
}

export const zero: Exact = whole(0)
export const one: Exact = whole(1)

const at = (x: Exact, s: number): bigint => x.n * tenTo(s - x.s)

export const plus = (a: Exact, b: Exact): Exact =>
  a.s >= b.s ? { n: a.n + at(b, a.s), s: a.s } : { n: at(a, b.s) + b.n, s: b.s }

export const negated = (a: Exact): Exact => ({ n: -a.n, s: a.s })
export const minus = (a: Exact, b: Exact): Exact => plus(a, negated(b))
export const times = (a: Exact, b: Exact): Exact => ({ n: a.n * b.n, s: a.s + b.s })

export const sum = (list: Iterable<Exact>): Exact => {
  let total = zero
  for (const x of list) {
    total = plus(total, x)
  }
  return total
}

/** -1, 0 or 1. */
export const order = (a: Exact, b: Exact): -1 | 0 | 1 => {
  const d = minus(a, b).n
  return d < 0n ? -1 : d > 0n ? 1 : 0
}

export const isZero = (a: Exact): boolean => a.n === 0n

/** a ÷ b as a whole quotient of bigints, the rest dropped by `mode`. */
function quotient(a: bigint, b: bigint, mode: Mode): bigint {
  const negative = a < 0n !== b < 0n
  const n = sized(a)
  const d = sized(b)
  const q = n / d
  const twice = 2n * (n - q * d)
  const up =
    mode === 'floor'
      ? false
      : mode === 'ceil'
        ? twice > 0n
        : mode === 'half-up'
          ? twice >= d
          : twice > d || (twice === d && q % 2n === 1n)
  const sizedResult = up ? q + 1n : q
  return negative ? -sizedResult : sizedResult
}

/** To `scale` digits after the point (a negative scale: tens, hundreds …). T-FEE-01: 19.605 → 19.61. */
export function rounded(x: Exact, scale: number, mode: Mode = 'half-up'): Exact {
  if (x.s <= scale) return x
  const n = quotient(x.n, tenTo(x.s - scale), mode)
  return scale < 0 ? { n: n * tenTo(-scale), s: 0 } : { n, s: scale }
}

/**
 * a ÷ b to `scale` digits (0 or more). Throws RangeError when b is zero. Divide last: the result is rounded
 * (FEE-2).
 */
export function over(a: Exact, b: Exact, scale: number, mode: Mode = 'half-up'): Exact {
  if (b.n === 0n) throw new RangeError('除数不能为零')
  const shift = scale + b.s - a.s
  return {
    n: shift >= 0 ? quotient(a.n * tenTo(shift), b.n, mode) : quotient(a.n, b.n * tenTo(-shift), mode),
    s: scale,
  }
}
