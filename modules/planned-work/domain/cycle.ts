import { addDays, daysBetween, daysInMonth, partsOf, weekday, type Day } from '#kit/domain/day.ts'
import type { CalendarRule, CycleType } from '../contract/choices.ts'

/** The days of a plan (PAT-2). */
export interface PlanDays {
  readonly cycleType: CycleType
  readonly cycle?:
    | {
        readonly weekDays?: readonly string[] | undefined
        readonly monthDays?: readonly string[] | undefined
        readonly monthEndClamp?: boolean | undefined
        readonly everyDays?: number | undefined
        readonly dates?: readonly string[] | undefined
      }
    | undefined
  readonly calendarRule: CalendarRule
  readonly beginDate: Day
  readonly endDate?: Day | undefined
}

/**
 * What the company's calendar says of a day: a holiday that is not worked, a worked day, or nothing of it.
 */
export type DayKind = 'rest' | 'work' | undefined
export type Calendar = (day: Day) => DayKind

/** Whether people work on it: what the calendar says, else Monday to Friday. */
const isWorkday = (day: Day, kind: DayKind): boolean => (kind ? kind === 'work' : weekday(day) <= 5)

function isOfMonth(monthDays: readonly string[], monthEndClamp: boolean, day: Day): boolean {
  const dayOfMonth = partsOf(day)[2]
  if (monthDays.some(text => Number(text) === dayOfMonth)) return true
  // 31 becomes the last day of a shorter month; two that become the same day are one.
  return monthEndClamp && dayOfMonth === daysInMonth(day) && monthDays.some(text => Number(text) > dayOfMonth)
}

/** Whether the cycle alone names the day. */
function isOfCycle({ cycleType, cycle = {}, beginDate }: PlanDays, day: Day): boolean {
  switch (cycleType) {
    case 'daily':
      return true
    case 'weekly':
      return (cycle.weekDays ?? []).some(text => Number(text) === weekday(day))
    case 'monthly':
      return isOfMonth(cycle.monthDays ?? [], cycle.monthEndClamp ?? false, day)
    case 'everyDays':
      return daysBetween(beginDate, day) % Math.max(1, cycle.everyDays ?? 1) === 0
    case 'dates':
      return (cycle.dates ?? []).includes(day)
  }
}

/**
 * Whether a plan asks for work on a day (PAT-2). A day that the calendar takes away is not moved to another.
 */
export function isDueOn(plan: PlanDays, day: Day, calendar: Calendar): boolean {
  if (day < plan.beginDate || (plan.endDate !== undefined && day > plan.endDate)) return false
  if (!isOfCycle(plan, day)) return false
  switch (plan.calendarRule) {
    case 'always':
      return true
    case 'skipHolidays':
      return calendar(day) !== 'rest'
    case 'workdays':
      return isWorkday(day, calendar(day))
  }
}

/** The due days from one to another, both included. */
export function dueDays(plan: PlanDays, from: Day, to: Day, calendar: Calendar): Day[] {
  const first = from < plan.beginDate ? plan.beginDate : from
  const last = plan.endDate !== undefined && plan.endDate < to ? plan.endDate : to
  const days: Day[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) {
    if (isDueOn(plan, day, calendar)) {
      days.push(day)
    }
  }
  return days
}

/** How many due days a plan had before a day: whose turn it is goes on from there. */
export const dueDaysBefore = (plan: PlanDays, day: Day, calendar: Calendar): number =>
  day <= plan.beginDate ? 0 : dueDays(plan, plan.beginDate, addDays(day, -1), calendar).length
