import { defined } from '#kit/domain/defined.ts'
import { toHalfWidth } from './half-width.ts'

/**
 * A calendar day, `2026-02-28`, years 0001 to 9999; days compare as texts. No clock, no zone (G-4). Any other
 * text is refused by the compiler: `readDay`, `isDay` and `asDay` make days of texts.
 */
export type Day = `${number}-${number}-${number}`

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const
const isLeap = (y: number): boolean => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0

/** Days in a month, month 1 to 12. */
export const lengthOfMonth = (y: number, m: number): number =>
  m === 2 && isLeap(y) ? 29 : defined(monthLengths[m - 1])

const numbersOf = (text: string): readonly [year: number, month: number, day: number] => [
  Number(text.slice(0, 4)),
  Number(text.slice(5, 7)),
  Number(text.slice(8, 10)),
]

/** The parts of a day that is known to be one. */
export const partsOf = (d: Day): readonly [year: number, month: number, day: number] => numbersOf(d)

/** Digits of a whole number, filled with zeros from the left: a part of a day or of a time. */
export const padDigits = (n: number, length = 2): `${number}` =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- digits behind zeros are a number's text
  String(n).padStart(length, '0') as `${number}`

const formatParts = (y: number, m: number, d: number): Day => {
  if (y < 1 || y > 9999) throw new RangeError('日期超出范围')
  return `${padDigits(y, 4)}-${padDigits(m)}-${padDigits(d)}`
}

const isExistingDay = (y: number, m: number, d: number): boolean =>
  y >= 1 && y <= 9999 && m >= 1 && m <= 12 && d >= 1 && d <= lengthOfMonth(y, m)

/** Exactly `yyyy-MM-dd`, and such a day exists. */
export const isDay = (text: string): text is Day =>
  /^\d{4}-\d\d-\d\d$/.test(text) && isExistingDay(...numbersOf(text))

/** A text that must be a day. Throws RangeError when it is none. */
export function asDay(text: string): Day {
  if (!isDay(text)) throw new RangeError(`不是日期：${text}`)
  return text
}

/** From parts, month and day from 1. Throws RangeError when there is no such day. */
export function dayOf(y: number, m: number, d: number): Day {
  if (!isExistingDay(y, m, d)) throw new RangeError(`${y}年${m}月${d}日 不存在`)
  return formatParts(y, m, d)
}

const datePatterns = [
  /^(\d{4})-(\d{1,2})-(\d{1,2})$/,
  /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/,
  /^(\d{4})\.(\d{1,2})\.(\d{1,2})$/,
  /^(\d{4})年(\d{1,2})月(\d{1,2})[日号]?$/,
  /^(\d{4})(\d\d)(\d\d)$/,
]

/**
 * What people type or paste: 2026-1-5, 2026/1/5, 2026.1.5, 2026年1月5日, 20260105, full-width too, a wall time
 * behind it left away. Years from 1900. Nothing when it is no existing day, or an instant with a zone (its
 * day depends on where one stands, G-4).
 */
export function readDay(text: string): Day | undefined {
  if (text.length > 60) return undefined
  const plain = toHalfWidth(text.trim())
    .replace(/[ T]\d{1,2}:\d\d(:\d\d(\.\d+)?)?$/, '')
    .trim()
  for (const shape of datePatterns) {
    const m = shape.exec(plain)
    if (!m) continue
    const [y, mo, d] = [Number(m[1]), Number(m[2]), Number(m[3])]
    return y >= 1900 && isExistingDay(y, mo, d) ? formatParts(y, mo, d) : undefined
  }
  return undefined
}

// Civil-calendar arithmetic on years that begin in March, so that a leap day is the last of its year.
const toDayNumber = (d: Day): number => {
  const [y0, m, day] = partsOf(d)
  const y = m <= 2 ? y0 - 1 : y0
  const era = Math.floor(y / 400)
  const ofEra = y - era * 400
  const ofYear = Math.floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468
}

const fromDayNumber = (n: number): Day => {
  const z = n + 719_468
  const era = Math.floor(z / 146_097)
  const ofEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const mp = Math.floor((5 * ofYear + 2) / 153)
  const m = mp < 10 ? mp + 3 : mp - 9
  return formatParts(yearOfEra + era * 400 + (m <= 2 ? 1 : 0), m, ofYear - Math.floor((153 * mp + 2) / 5) + 1)
}

/** Days since 1970-01-01, and back. */
export const toEpochDays = toDayNumber
export const fromEpochDays = fromDayNumber

/** Throws RangeError outside the years 0001 to 9999. */
export const addDays = (d: Day, n: number): Day => fromDayNumber(toDayNumber(d) + n)

/**
 * to − from: 0 on the same day, negative when `to` is earlier. Overdue days count so (LATE-2); a closed
 * period has one more (G-5).
 */
export const daysBetween = (from: Day, to: Day): number => toDayNumber(to) - toDayNumber(from)

/**
 * The same day of another month, or that month's last day: 01-31 + 1 → 02-28. Not to be chained: see
 * `addMonthsFrom`.
 */
export function addMonths(d: Day, n: number): Day {
  const [y, m, day] = partsOf(d)
  const months = y * 12 + m - 1 + n
  const year = Math.floor(months / 12)
  const month = months - year * 12 + 1
  return formatParts(year, month, Math.min(day, lengthOfMonth(year, month)))
}

/**
 * The n-th monthly anniversary, always counted from its anchor, so that 01-31 gives 02-28 and then 03-31
 * again (CYC-6).
 */
export const addMonthsFrom = (anchor: Day, n: number): Day => addMonths(anchor, n)

/** Whole months from the anchor to a day: the greatest n with addMonthsFrom(anchor, n) ≤ day. */
export function monthsSince(anchor: Day, d: Day): number {
  const [y1, m1] = partsOf(anchor)
  const [y2, m2] = partsOf(d)
  const n = (y2 - y1) * 12 + m2 - m1
  return addMonthsFrom(anchor, n) <= d ? n : n - 1
}

export const daysInMonth = (d: Day): number => lengthOfMonth(Number(d.slice(0, 4)), Number(d.slice(5, 7)))
export const firstOfMonth = (d: Day): Day => withDayOfMonth(d, 1)
export const lastOfMonth = (d: Day): Day => withDayOfMonth(d, daysInMonth(d))

function withDayOfMonth(d: Day, day: number): Day {
  const [year, month] = partsOf(d)
  return formatParts(year, month, day)
}
export const compareDays = (a: Day, b: Day): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0)

export const earliest = (first: Day, ...rest: readonly Day[]): Day =>
  rest.reduce((a, b) => (b < a ? b : a), first)

export const latest = (first: Day, ...rest: readonly Day[]): Day =>
  rest.reduce((a, b) => (b > a ? b : a), first)

/** 1 Monday to 7 Sunday. */
export const weekday = (d: Day): number => ((((toDayNumber(d) + 3) % 7) + 7) % 7) + 1
export const weekdayName = (d: Day): string => '周' + '一二三四五六日'[weekday(d) - 1]

/**
 * Excel's day number in the 1900 system, time of day left away. Excel believes in 1900-02-29 (number 60):
 * there is no such day, and numbers before it are one less. Nothing for 60, below 1 or after 9999-12-31.
 */
export function dayFromExcelSerial(serial: number): Day | undefined {
  const n = Math.floor(serial)
  return n < 1 || n === 60 || n > 2_958_465 || Number.isNaN(n)
    ? undefined
    : fromDayNumber(n - (n > 60 ? 25_569 : 25_568))
}

/** Excel's day number; nothing before 1900-01-01. */
export const excelSerialOf = (d: Day): number | undefined =>
  d < '1900-01-01' ? undefined : toDayNumber(d) + (d < '1900-03-01' ? 25_568 : 25_569)
