import { addDays, type Day } from '#kit/domain/day.ts'
import { momentAt, type Moment } from '#kit/domain/moment.ts'
import { dueDays, dueDaysBefore, type Calendar, type PlanDays } from './cycle.ts'

export interface ClockTime {
  readonly begin: string
  readonly end: string
}

export interface TimeSpan {
  readonly begin: Moment
  readonly end: Moment
}

/** A time of a day; one that does not end after it begins ends on the next day. */
export const spanOn = (day: Day, { begin, end }: ClockTime): TimeSpan => ({
  begin: momentAt(day, begin),
  end: momentAt(end > begin ? day : addDays(day, 1), end),
})

/** One time of one due day. */
export interface Occurrence extends TimeSpan {
  readonly day: Day
  /** Counted from the first of the plan: whose turn it is. */
  readonly turn: number
}

export interface PlanTimes extends PlanDays {
  readonly times: readonly ClockTime[]
}

/** What a plan asks for from one day to another, in the order of time (PAT-2). */
export function occurrencesOf(plan: PlanTimes, from: Day, to: Day, calendar: Calendar): Occurrence[] {
  const days = dueDays(plan, from, to, calendar)
  const [first] = days
  if (first === undefined) return []
  const before = dueDaysBefore(plan, first, calendar)
  const times = plan.times.toSorted((a, b) => (a.begin < b.begin ? -1 : a.begin > b.begin ? 1 : 0))
  return days.flatMap((day, i) =>
    times.map((time, k) => ({ day, ...spanOn(day, time), turn: (before + i) * times.length + k })),
  )
}

/** Two times of a day that begin at the same minute would be one task. */
export function timesFault(times: readonly ClockTime[]): string | undefined {
  if (!times.length) return '请填写时段'
  return new Set(times.map(({ begin }) => begin)).size < times.length
    ? '两个时段的开始时间相同，请修改'
    : undefined
}
