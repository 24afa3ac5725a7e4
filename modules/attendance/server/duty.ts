import type { Id } from '#kit/domain/id.ts'
import { addDays, toEpochDays, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import { minuteOf } from '../domain/intervals.ts'
import { planDay, type DayPlan } from '../domain/plan.ts'
import { timesOnDay } from '../domain/shift.ts'
import { loadDutyInputs, type DutyInputs } from './inputs.ts'
import type { Span } from './people.ts'

/** Why a person is not on duty in a span of time; undefined where they are, or where no roster says it. */
export type AbsenceLookup = (staffId: Id, begin: Moment, end: Moment) => string | undefined

const coverLabels = { leave: '请假', trip: '出差', out: '外出' } as const

/** What a person has to do on a day; undefined where the attendance does not know: no group, or exempt. */
function planOf(inputs: DutyInputs, staffId: Id, date: Day): DayPlan | undefined {
  const epochDay = toEpochDays(date)
  const isWithin = ({ begin, end }: { readonly begin: number; readonly end: number }): boolean =>
    begin <= epochDay && epochDay <= end
  const member = inputs.members.get(staffId)?.find(isWithin)
  if (!member || inputs.exemptions.get(staffId)?.some(isWithin)) return undefined
  return planDay({
    date,
    group: inputs.groups.get(member.groupId),
    scheduled: inputs.schedules.get(staffId)?.get(date),
    holiday: inputs.holidays.get(date),
    shifts: inputs.shifts,
  })
}

/** Whether some of the span lies in a shift of the day. */
const overlapsShift = (plan: DayPlan | undefined, begin: number, end: number): boolean =>
  plan?.kind === 'shift' &&
  timesOnDay(plan.shift.segments, plan.date).some(segment => segment.begin < end && begin < segment.end)

/**
 * Who is off duty or on leave in the days from one to another, by shifts, schedules, holidays and documents.
 */
export async function loadAbsences(
  db: Db,
  ownerId: Id,
  staffIds: readonly Id[],
  span: Span,
): Promise<AbsenceLookup> {
  const inputs = await loadDutyInputs(db, ownerId, staffIds, span)
  const plans = new Map<string, DayPlan | undefined>()
  const cachedPlan = (staffId: Id, date: Day): DayPlan | undefined => {
    const key = `${staffId}/${date}`
    if (!plans.has(key)) {
      plans.set(key, planOf(inputs, staffId, date))
    }
    return plans.get(key)
  }
  return (staffId, beginTime, endTime) => {
    const [begin, end] = [minuteOf(beginTime), minuteOf(endTime)]
    const cover = inputs.covers.get(staffId)?.find(row => row.begin < end && begin < row.end)
    if (cover) return coverLabels[cover.kind]
    const date = dayOfMoment(beginTime)
    const today = cachedPlan(staffId, date)
    if (!today || today.kind === 'unscheduled' || today.kind === 'free') return undefined
    // The night shift of the day before, and one that begins before the span ends.
    const days = [addDays(date, -1), date, addDays(date, 1)]
    if (days.some(day => overlapsShift(cachedPlan(staffId, day), begin, end))) return undefined
    return today.kind === 'rest' ? '休息' : '不在班次时间'
  }
}
