import { asDay, addDays, lengthOfMonth, padDigits, partsOf, type Day } from '#kit/domain/day.ts'
import { exactToFen, type Decimal } from '#kit/domain/decimal.ts'
import { divideExact, parseExact } from '#kit/domain/exact.ts'
import type { Fen } from '#kit/domain/money.ts'
import { daysIn, lastDay, monthOf, shiftMonth } from '#kit/domain/month.ts'

/** How a renewal goes on after the grace days: without a gap, or from the day on which it is made. */
export type RenewalStart = 'continuous' | 'today'

/** Whole months from the day of the begin, or to the last day of a calendar month. */
export type MonthEnd = 'anniversary' | 'natural'

export interface RenewalRules {
  readonly graceDays: number
  readonly start: RenewalStart
  readonly monthEnd: MonthEnd
}

/** PRK-4: the first day of what is bought; `end` is the last day of what the car has. */
export function renewalBegin(end: Day | undefined, today: Day, rules: RenewalRules): Day {
  if (end === undefined) return today
  const next = addDays(end, 1)
  const isRunning = today <= addDays(end, rules.graceDays)
  return isRunning || rules.start === 'continuous' ? next : today
}

/**
 * The day of the month on which months of a card begin: one of those that it went by so far when the begin
 * stands on it (on the last day of a shorter month, too), else that of the begin. Only so is renewing twice
 * the same as renewing for the sum: 01-31, 02-28, 03-31.
 */
export function anchorDayOf(begin: Day, earlier: readonly (number | undefined)[]): number {
  const [year, month, dayOfMonth] = partsOf(begin)
  const length = lengthOfMonth(year, month)
  return earlier.find(anchor => anchor !== undefined && Math.min(anchor, length) === dayOfMonth) ?? dayOfMonth
}

/** The last day of `months` months from `begin`; the calendar month of the begin counts as one. */
export function renewalEnd(begin: Day, months: number, monthEnd: MonthEnd, anchorDay: number): Day {
  if (monthEnd === 'natural') return lastDay(shiftMonth(monthOf(begin), months - 1))
  const month = shiftMonth(monthOf(begin), months)
  return addDays(asDay(`${month}-${padDigits(Math.min(anchorDay, daysIn(month)))}`), -1)
}

export interface MonthCount {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Price × months, rounded once (PRO-1). */
export const priceOfMonths = (price: Decimal, { numerator, denominator }: MonthCount): Fen => {
  const { units, scale } = parseExact(price)
  return exactToFen(divideExact({ units: units * numerator, scale }, { units: denominator, scale: 0 }, 2))
}
