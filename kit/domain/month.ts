import { lengthOfMonth, padDigits, readDay, type Day } from './day.ts'

/** A calendar month, `2026-02`; months compare as texts. Any other text is refused by the compiler. */
export type Month = `${number}-${number}`

/** Exactly `yyyy-MM`, years 0001 to 9999. */
export const isMonth = (text: string): text is Month => /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(text)

/** A text that must be a month. Throws RangeError when it is none. */
export function asMonth(text: string): Month {
  if (!isMonth(text)) throw new RangeError(`不是月份：${text}`)
  return text
}

/**
 * What people type: 2026-2, 2026/02, 2026.2, 2026年2月, 202602, or a day of the month. Nothing when it is no
 * month, or before 1900.
 */
export function readMonth(text: string): Month | undefined {
  const plain = text.trim()
  const day =
    readDay(plain) ??
    (/^\d{6}$/.test(plain)
      ? readDay(`${plain}01`)
      : readDay(plain.replace(/月$/, '').replace(/[年/.．／－]/, '-') + '-1'))
  return day && monthOf(day)
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a day begins with its month
export const monthOf = (d: Day): Month => d.slice(0, 7) as Month
const monthIndex = (m: Month): number => Number(m.slice(0, 4)) * 12 + Number(m.slice(5, 7)) - 1

/** n months later, or earlier. Throws RangeError outside the years 0001 to 9999. */
export function shiftMonth(month: Month, count: number): Month {
  const months = monthIndex(month) + count
  const year = Math.floor(months / 12)
  if (year < 1 || year > 9999) throw new RangeError('月份超出范围')
  return `${padDigits(year, 4)}-${padDigits(months - year * 12 + 1)}`
}

/** to − from in months. */
export const monthsBetween = (from: Month, to: Month): number => monthIndex(to) - monthIndex(from)
export const daysIn = (m: Month): number => lengthOfMonth(Number(m.slice(0, 4)), Number(m.slice(5, 7)))
export const firstDay = (m: Month): Day => `${m}-01`
export const lastDay = (m: Month): Day => `${m}-${daysIn(m)}`

/** Every month from one to the other, both included; empty when `to` is earlier. */
export const monthsFrom = (from: Month, to: Month): Month[] =>
  Array.from({ length: Math.max(0, monthsBetween(from, to) + 1) }, (_, i) => shiftMonth(from, i))
