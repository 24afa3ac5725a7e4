import { defined } from '#kit/domain/defined.ts'
import { toHalfWidth } from './half-width.ts'

/**
 * A calendar day, `2026-02-28`, years 0001 to 9999; days compare as texts. No clock, no zone (G-4). Any other
 * text is refused by the compiler: `readDay`, `isDay` and `asDay` make days of texts.
 */
export type Day = `${number}-${number}-${number}`

/** The last day that there is: an end that is not set, where a day is compared. */
export const maxDay: Day = '9999-12-31'

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Days in a month, month 1 to 12. */
export const lengthOfMonth = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : defined(monthLengths[month - 1])

const numbersOf = (text: string): readonly [year: number, month: number, day: number] => [
  Number(text.slice(0, 4)),
  Number(text.slice(5, 7)),
  Number(text.slice(8, 10)),
]

/** The parts of a day that is known to be one. */
export const partsOf = (day: Day): readonly [year: number, month: number, day: number] => numbersOf(day)

/** Digits of a whole number, filled with zeros from the left: a part of a day or of a time. */
export const padDigits = (n: number, length = 2): `${number}` =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- digits behind zeros are a number's text
  String(n).padStart(length, '0') as `${number}`

const formatParts = (year: number, month: number, day: number): Day => {
  if (year < 1 || year > 9999) throw new RangeError('日期超出范围')
  return `${padDigits(year, 4)}-${padDigits(month)}-${padDigits(day)}`
}

const isExistingDay = (year: number, month: number, day: number): boolean =>
  year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= lengthOfMonth(year, month)

/** Exactly `yyyy-MM-dd`, and such a day exists. */
export const isDay = (text: string): text is Day =>
  /^\d{4}-\d\d-\d\d$/.test(text) && isExistingDay(...numbersOf(text))

/** A text that must be a day. Throws RangeError when it is none. */
export function asDay(text: string): Day {
  if (!isDay(text)) throw new RangeError(`不是日期：${text}`)
  return text
}

/** From parts, month and day from 1. Throws RangeError when there is no such day. */
export function dayOf(year: number, month: number, day: number): Day {
  if (!isExistingDay(year, month, day)) throw new RangeError(`${year}年${month}月${day}日 不存在`)
  return formatParts(year, month, day)
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
 * day depends on the place, G-4).
 */
export function readDay(text: string): Day | undefined {
  if (text.length > 60) return undefined
  const plain = toHalfWidth(text.trim())
    .replace(/[ T]\d{1,2}:\d\d(:\d\d(\.\d+)?)?$/, '')
    .trim()
  for (const shape of datePatterns) {
    const match = shape.exec(plain)
    if (!match) continue
    const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
    return year >= 1900 && isExistingDay(year, month, day) ? formatParts(year, month, day) : undefined
  }
  return undefined
}

// Civil-calendar arithmetic on years that begin in March, so that a leap day is the last of its year.
const toDayNumber = (day: Day): number => {
  const [calendarYear, month, dayOfMonth] = partsOf(day)
  const year = month <= 2 ? calendarYear - 1 : calendarYear
  const era = Math.floor(year / 400)
  const ofEra = year - era * 400
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468
}

const fromDayNumber = (dayNumber: number): Day => {
  const sinceMarch = dayNumber + 719_468
  const era = Math.floor(sinceMarch / 146_097)
  const ofEra = sinceMarch - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return formatParts(year, month, ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1)
}

/** Days since 1970-01-01, and back. */
export const toEpochDays = toDayNumber
export const fromEpochDays = fromDayNumber

/** Throws RangeError outside the years 0001 to 9999. */
export const addDays = (day: Day, count: number): Day => fromDayNumber(toDayNumber(day) + count)

/**
 * to − from: 0 on the same day, negative when `to` is earlier. Overdue days count so (LATE-2); a closed
 * period has one more (G-5).
 */
export const daysBetween = (from: Day, to: Day): number => toDayNumber(to) - toDayNumber(from)

/**
 * The same day of another month, or that month's last day: 01-31 + 1 → 02-28. Not to be chained: see
 * `addMonthsFrom`.
 */
export function addMonths(day: Day, count: number): Day {
  const [fromYear, fromMonth, dayOfMonth] = partsOf(day)
  const months = fromYear * 12 + fromMonth - 1 + count
  const year = Math.floor(months / 12)
  const month = months - year * 12 + 1
  return formatParts(year, month, Math.min(dayOfMonth, lengthOfMonth(year, month)))
}

/**
 * The n-th monthly anniversary, always counted from its anchor, so that 01-31 gives 02-28 and then 03-31
 * again (CYC-6).
 */
export const addMonthsFrom = (anchor: Day, n: number): Day => addMonths(anchor, n)

/** Whole months from the anchor to a day: the greatest n with addMonthsFrom(anchor, n) ≤ day. */
export function monthsSince(anchor: Day, day: Day): number {
  const [fromYear, fromMonth] = partsOf(anchor)
  const [toYear, toMonth] = partsOf(day)
  const months = (toYear - fromYear) * 12 + toMonth - fromMonth
  return addMonthsFrom(anchor, months) <= day ? months : months - 1
}

export const daysInMonth = (day: Day): number =>
  lengthOfMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)))
export const firstOfMonth = (day: Day): Day => withDayOfMonth(day, 1)
export const lastOfMonth = (day: Day): Day => withDayOfMonth(day, daysInMonth(day))

function withDayOfMonth(day: Day, dayOfMonth: number): Day {
  const [year, month] = partsOf(day)
  return formatParts(year, month, dayOfMonth)
}

export const compareDays = (a: Day, b: Day): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0)

export const earliest = (first: Day, ...rest: readonly Day[]): Day =>
  rest.reduce((a, b) => (b < a ? b : a), first)

export const latest = (first: Day, ...rest: readonly Day[]): Day =>
  rest.reduce((a, b) => (b > a ? b : a), first)

/** 1 Monday to 7 Sunday. */
export const weekday = (day: Day): number => ((((toDayNumber(day) + 3) % 7) + 7) % 7) + 1
export const weekdayName = (day: Day): string => '周' + '一二三四五六日'[weekday(day) - 1]

/**
 * Excel's day number in the 1900 system, time of day left away. Excel believes in 1900-02-29 (number 60):
 * there is no such day, and numbers before it are one less. Nothing for 60, below 1 or after 9999-12-31.
 */
export function dayFromExcelSerial(serial: number): Day | undefined {
  const number = Math.floor(serial)
  return number < 1 || number === 60 || number > 2_958_465 || Number.isNaN(number)
    ? undefined
    : fromDayNumber(number - (number > 60 ? 25_569 : 25_568))
}

/** Excel's day number; nothing before 1900-01-01. */
export const excelSerialOf = (day: Day): number | undefined =>
  day < '1900-01-01' ? undefined : toDayNumber(day) + (day < '1900-03-01' ? 25_568 : 25_569)
