import type { PeriodUnit } from '#kit/contract/period-unit.ts'
import { addDays, addMonths, dayOf, partsOf, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, momentAt, type Moment } from '#kit/domain/moment.ts'

export interface Period {
  readonly amount: number
  readonly unit: PeriodUnit
}

/** What ended before this day is kept no longer. */
export function retentionStart(today: Day, { amount, unit }: Period): Day {
  if (unit === 'day') return addDays(today, -amount)
  return addMonths(today, unit === 'month' ? -amount : -12 * amount)
}

/**
 * The last day on which records of law are kept: their years are counted from the end of the year in which
 * the last of them was made.
 */
export function keptUntil(last: Day, years: number): Day {
  const [year] = partsOf(last)
  return dayOf(Math.min(9999, year + years), 12, 31)
}

/** Why a period cannot be set. */
export function periodFault(
  amount: number,
  {
    min,
    max,
    label,
    basis,
  }: { readonly min: number; readonly max: number; readonly label: string; readonly basis: string },
  unitLabel: string,
): string | undefined {
  if (amount < min) return `「${label}」不能少于 ${min} ${unitLabel}（${basis}）`
  if (amount > max) return `「${label}」不能超过 ${max} ${unitLabel}`
  return undefined
}

/** Days in which a request is to be answered (GB/T 35273-2020 8.7). */
export const answerDays = 30

/** The nightly run, in the minutes and hours of a cron and on the clock. */
export const nightlyRun = { cron: '50 2 * * *', time: '02:50' }

/** When the run goes next. */
export function nextRun(now: Moment): Moment {
  const today = dayOfMoment(now)
  const run = momentAt(today, nightlyRun.time)
  return run > now ? run : momentAt(addDays(today, 1), nightlyRun.time)
}
