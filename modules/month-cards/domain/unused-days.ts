import { addDays, daysBetween, earliest, latest, type Day } from '#kit/domain/day.ts'
import { exactToFen, type Decimal } from '#kit/domain/decimal.ts'
import { divideExact, parseExact } from '#kit/domain/exact.ts'
import { minFen, type Fen } from '#kit/domain/money.ts'
import { daysIn, firstDay, lastDay, monthOf, monthsFrom } from '#kit/domain/month.ts'
import type { MonthCount } from './renewal.ts'

/** A month has 30 days, or as many as it has. */
export type DayPriceBasis = 'thirty' | 'actual'

export interface SoldDays {
  readonly begin: Day
  readonly end: Day
  /** Per month, in yuan. */
  readonly price: Decimal
  /** What was asked for them, and what of that was paid and has not gone back. */
  readonly amount: Fen
  readonly paid: Fen
}

export interface UnusedDays {
  /** The first day that is given back. */
  readonly from: Day
  readonly days: number
  readonly amount: Fen
}

/** Days as a part of their months, month by month. */
function countDays(from: Day, to: Day, basis: DayPriceBasis): MonthCount {
  if (basis === 'thirty') return { numerator: BigInt(daysBetween(from, to) + 1), denominator: 30n }
  let sum: MonthCount = { numerator: 0n, denominator: 1n }
  for (const month of monthsFrom(monthOf(from), monthOf(to))) {
    const days = daysBetween(latest(from, firstDay(month)), earliest(to, lastDay(month))) + 1
    const length = BigInt(daysIn(month))
    sum = {
      numerator: sum.numerator * length + BigInt(days) * sum.denominator,
      denominator: sum.denominator * length,
    }
  }
  return sum
}

/**
 * PRK-5: the whole days after today at the price of a day, in proportion to what was paid; never more than
 * was paid. Nothing when no day is left.
 */
export function countUnused(sold: SoldDays, today: Day, basis: DayPriceBasis): UnusedDays | undefined {
  const from = latest(sold.begin, addDays(today, 1))
  if (from > sold.end) return undefined
  const { numerator, denominator } = countDays(from, sold.end, basis)
  const { units, scale } = parseExact(sold.price)
  const whole = sold.amount === 0 ? 1n : BigInt(sold.amount)
  const atPrice = divideExact(
    { units: units * numerator * BigInt(sold.paid), scale },
    { units: denominator * whole, scale: 0 },
    2,
  )
  const isUntouched = from === sold.begin
  return {
    from,
    days: daysBetween(from, sold.end) + 1,
    amount: isUntouched ? sold.paid : minFen(sold.paid, exactToFen(atPrice)),
  }
}
