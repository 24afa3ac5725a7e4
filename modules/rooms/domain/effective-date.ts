import { addDays, type Day } from '#kit/domain/day.ts'
import { firstDay, shiftMonth, type Month } from '#kit/domain/month.ts'

/** What bounds the day of a change that is entered late, of one project. */
export interface BackDating {
  readonly today: Day
  /** How many days back the company allows. */
  readonly maxDays: number
  /** The last day whose takings are closed. */
  readonly lastClosedDay?: Day | undefined
  /** The last month that was carried over (CLO-4). */
  readonly lastClosedMonth?: Month | undefined
}

/** The day from which a change may hold at the earliest, and why not earlier. */
export interface EarliestEffectiveDate {
  readonly day: Day
  readonly cause: string
}

export function earliestEffectiveDate({
  today,
  maxDays,
  lastClosedDay,
  lastClosedMonth,
}: BackDating): EarliestEffectiveDate {
  const bounds = [
    { day: addDays(today, -maxDays), cause: `最多可以追溯 ${maxDays} 天` },
    ...(lastClosedDay ? [{ day: lastClosedDay, cause: `${lastClosedDay} 已日结` }] : []),
    ...(lastClosedMonth
      ? [{ day: firstDay(shiftMonth(lastClosedMonth, 1)), cause: `${lastClosedMonth} 已结转` }]
      : []),
  ]
  return latestOf(bounds)
}

/** Why a change may not hold from this day on; undefined when it may (C27-7). */
export const effectiveDateFault = (day: Day, backDating: BackDating): string | undefined =>
  earlyEffectiveDateFault(day, earliestEffectiveDate(backDating))

export const earlyEffectiveDateFault = (day: Day, earliest: EarliestEffectiveDate): string | undefined =>
  day < earliest.day
    ? `${earliest.cause}，生效日期不能早于 ${earliest.day}，请改填该日或之后的日期`
    : undefined

/** Why a change of people or state may not hold from this day on: not before its day has come. */
export const lateEffectiveDateFault = (day: Day, today: Day): string | undefined =>
  day > today ? '生效日期不能晚于今天，请到当天再办理' : undefined

/** The day that bounds changes of several projects at once. */
export const latestOf = (limits: readonly EarliestEffectiveDate[]): EarliestEffectiveDate =>
  limits.reduce((latest, limit) => (limit.day > latest.day ? limit : latest))
