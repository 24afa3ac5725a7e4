import { defined } from '#kit/domain/defined.ts'
import { readExact, exactOf, type Exact } from './exact.ts'

/**
 * Whole fen: a safe integer, positive or negative, never −0. Yuan exist only on screens, in sheets and on
 * the wire (G-3). The compiler refuses a plain number; money comes from `asFen`, from the functions here and
 * in decimal.ts, from forms and from the database. It does not see `+=`, `-=` and `++` on fen, for which 0 is
 * widened: write `total = addFen(total, fen)`.
 */
export type Fen = 0 | (number & { readonly unit: 'fen' })

/** An amount too large to be kept: the text is for people, since what they entered made it. */
export class AmountOutOfRange extends RangeError {}

/**
 * A number as fen: a constant, or what a computation gave. Fen in, fen out, nothing is rounded. −0 becomes 0.
 * Throws RangeError when it is no whole number, AmountOutOfRange beyond 2^53 where numbers stop being exact.
 * What DECIMAL(14,2) holds is checked where an amount is entered and where it is written (`boundedFen`): a
 * sum of many rows may be more.
 */
export function asFen(amount: number): Fen {
  if (!Number.isInteger(amount)) throw new RangeError('金额应为整数分')
  if (!Number.isSafeInteger(amount)) throw new AmountOutOfRange('金额超出范围')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where a number becomes fen
  return (amount === 0 ? 0 : amount) as Fen
}

/** What DECIMAL(14,2) holds: ± 999 999 999 999.99 yuan. */
export const fenLimit = asFen(99_999_999_999_999)

/** Whether DECIMAL(14,2) holds it. */
export const isWithinFenLimit = (fen: number): boolean => Math.abs(fen) <= fenLimit

/** A whole number of fen within DECIMAL(14,2). Throws RangeError with a text for people. */
export function boundedFen(value: number | bigint): Fen {
  const amount = Number(value)
  if (!Number.isInteger(amount)) throw new RangeError('金额应为整数分')
  if (!isWithinFenLimit(amount)) throw new AmountOutOfRange('金额超出范围，绝对值不能大于 999999999999.99 元')
  return asFen(amount)
}

const fenOf = (sign: string | undefined, yuan: string, cents = ''): Fen => {
  const fen = Number(yuan.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'))
  return asFen(sign === '-' ? -fen : fen)
}

/**
 * `2.50`, `-1,234.5`, `+3` → fen; separators, when there are any, stand every three digits. Nothing when it
 * is no amount.
 */
export function readYuan(text: string): Fen | undefined {
  const m = /^([+-]?)(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!m) return undefined
  return fenOf(m[1], defined(m[2]), m[3])
}

/**
 * As `readYuan`, for texts that must be amounts: what the database and the server say, sums of many rows too.
 * Throws RangeError when it is none, AmountOutOfRange beyond 2^53.
 */
export function parseYuan(text: string): Fen {
  const m = /^([+-]?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!m) throw new RangeError('应为金额，最多两位小数')
  return fenOf(m[1], defined(m[2]), m[3])
}

/** Exactly two decimals: 250 → `2.50`; with `thousands`: `1,234.50`. */
export function formatYuan(fen: Fen, { thousands = false }: { readonly thousands?: boolean } = {}): string {
  const digits = String(Math.abs(asFen(fen))).padStart(3, '0')
  const yuan = digits.slice(0, -2)
  return (
    (fen < 0 ? '-' : '') + (thousands ? yuan.replace(/\B(?=(\d{3})+$)/g, ',') : yuan) + '.' + digits.slice(-2)
  )
}

const displayAmount = (fen: Fen, symbol: string): string =>
  `${fen < 0 ? '−' : ''}${symbol}${formatYuan(asFen(Math.abs(fen)), { thousands: true })}`

/** An amount for people to read: `1,262.79`, `−320.00`. */
export const displayYuan = (fen: Fen): string => displayAmount(fen, '')

/** For an amount without a label beside it: `¥1,262.79`, `−¥320.00`. */
export const displayYuanWithSymbol = (fen: Fen): string => displayAmount(fen, '¥')

/** Exact sum of any number of rows. Throws RangeError beyond 2^53. */
export function sumFen(amounts: Iterable<Fen>): Fen {
  let total = 0
  // Checked at every step: numbers are exact only as long as none on the way was beyond 2^53.
  for (const fen of amounts) {
    total = asFen(total + fen)
  }
  return asFen(total)
}

export const addFen = (...amounts: readonly Fen[]): Fen => sumFen(amounts)

/** The first less all others. */
export const subtractFen = (from: Fen, ...amounts: readonly Fen[]): Fen => asFen(from - sumFen(amounts))

export const negateFen = (fen: Fen): Fen => asFen(-fen)
export const minFen = (...amounts: readonly [Fen, ...Fen[]]): Fen => asFen(Math.min(...amounts))
export const maxFen = (...amounts: readonly [Fen, ...Fen[]]): Fen => asFen(Math.max(...amounts))

/**
 * A weight: an area or factor as decimal text, a count of days or people, or an exact number. Never negative.
 */
export type Weight = string | number | Exact

const toWeight = (w: Weight): Exact => {
  const x = typeof w === 'string' ? readExact(w) : typeof w === 'number' ? exactOf(w) : w
  if (!x || x.units < 0n) throw new RangeError('分摊权重应为不小于零的数')
  return x
}

/**
 * Splits an amount by weight, to the fen, so that the parts sum to it exactly: largest remainder, ties to the
 * earlier part (SHR-3). A negative amount splits as its mirror; a part without weight gets nothing. Throws
 * RangeError when there is an amount but no weight. T-SHR-02: 100.00 over 3 → 33.34, 33.33, 33.33.
 */
export function splitByWeight(total: Fen, weights: readonly Weight[]): Fen[] {
  const exact = weights.map(toWeight)
  const scale = Math.max(0, ...exact.map(x => x.scale))
  const parts = exact.map(x => x.units * 10n ** BigInt(scale - x.scale))
  const all = parts.reduce((a, b) => a + b, 0n)
  const amount = BigInt(Math.abs(boundedFen(total)))
  if (all === 0n) {
    if (amount !== 0n) throw new RangeError('分摊权重之和为零，无法分摊')
    return parts.map(() => 0)
  }
  const shares = parts.map(p => (amount * p) / all)
  const rests = parts.map((p, i) => amount * p - defined(shares[i]) * all)
  const remainder = Number(amount - shares.reduce((a, b) => a + b, 0n))
  const first = rests
    .map((_, i) => i)
    .toSorted((a, b) => (rests[a] === rests[b] ? a - b : defined(rests[a]) > defined(rests[b]) ? -1 : 1))
  for (const i of first.slice(0, remainder)) {
    shares[i] = defined(shares[i]) + 1n
  }
  return shares.map(s => asFen(total < 0 ? -Number(s) : Number(s)))
}

const chineseDigits = '零壹贰叁肆伍陆柒捌玖'
const chinesePlaces = ['', '拾', '佰', '仟']

/** Four digits: 1005 → 壹仟零伍. One 零 for a run of noughts inside, none at the end. */
const formatFourDigits = (value: number): string => {
  let out = ''
  let gap = false
  for (let position = 3; position >= 0; position--) {
    const digit = Math.floor(value / 10 ** position) % 10
    if (digit === 0) {
      gap = out !== ''
    } else {
      out += (gap ? '零' : '') + chineseDigits[digit] + chinesePlaces[position]
      gap = false
    }
  }
  return out
}

/**
 * 大写金额 for receipts: 12345 → 壹佰贰拾叁元肆角伍分; ends in 整 unless there are fen; 零 for noughts between figures;
 * 负 before a negative amount. Throws RangeError outside DECIMAL(14,2).
 */
export function toChineseCapitals(fen: Fen): string {
  const amount = Math.abs(boundedFen(fen))
  if (amount === 0) return '零元整'
  const yuan = Math.floor(amount / 100)
  const jiao = Math.floor(amount / 10) % 10
  const cents = amount % 10
  let out = ''
  let gap = false
  for (const [unit, name] of [
    [1e8, '亿'],
    [1e4, '万'],
    [1, '元'],
  ] as const) {
    const four = Math.floor(yuan / unit) % 10_000
    if (four === 0) {
      gap = out !== ''
    } else {
      out += (out && (gap || four < 1000) ? '零' : '') + formatFourDigits(four) + (unit === 1 ? '' : name)
      gap = false
    }
  }
  if (yuan > 0) {
    out += '元'
  }
  if (jiao > 0) {
    out += chineseDigits[jiao] + '角'
  } else if (cents > 0 && yuan > 0) {
    out += '零'
  }
  out += cents > 0 ? chineseDigits[cents] + '分' : '整'
  return (fen < 0 ? '负' : '') + out
}
