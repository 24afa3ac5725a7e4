import type { Id } from '#kit/domain/id.ts'
import { addDays, fromEpochDays, toEpochDays, type Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import { judgeDay, type DayFigures } from '../domain/day.ts'
import { matchPunches, type MatchedPunches } from '../domain/matching.ts'
import { planDay, type DayPlan } from '../domain/plan.ts'
import type { DayInputs } from './inputs.ts'
import type { Span } from './people.ts'

/** A day of a person with what it was computed from. */
export interface PersonDay {
  readonly date: Day
  readonly groupId: Id
  readonly plan: DayPlan
  readonly figures: DayFigures
}

export interface PersonDays {
  readonly days: readonly PersonDay[]
  /** Days of the span on which no record is made: no group, or exempt (ATT-14). */
  readonly without: readonly Day[]
  readonly matched: MatchedPunches
}

/** Each day of the span from what is known of a person; closed months are left alone (ATT-12). */
export function computePerson(inputs: DayInputs, staffId: Id, { from, to }: Span, now: number): PersonDays {
  const members = inputs.members.get(staffId) ?? []
  const scheduled = inputs.schedules.get(staffId)
  const groupOn = (epochDay: number): Id | undefined =>
    members.find(({ begin, end }) => begin <= epochDay && epochDay <= end)?.groupId
  const isExempt = (epochDay: number): boolean =>
    inputs.exemptions.get(staffId)?.some(({ begin, end }) => begin <= epochDay && epochDay <= end) ?? false
  const first = toEpochDays(from)
  const last = toEpochDays(to)
  const plans: DayPlan[] = []
  for (let epochDay = first - 1; epochDay <= last + 1; epochDay++) {
    const date = fromEpochDays(epochDay)
    const groupId = groupOn(epochDay)
    plans.push(
      planDay({
        date,
        group: groupId === undefined ? undefined : inputs.groups.get(groupId),
        scheduled: scheduled?.get(date),
        holiday: inputs.holidays.get(date),
        shifts: inputs.shifts,
      }),
    )
  }
  const dayCutOf = (day: Day): number => {
    const group = inputs.groups.get(groupOn(toEpochDays(day)) ?? 0)
    return group?.groupType === 'free' ? group.dayCutMinutes : 0
  }
  const punches = (inputs.punches.get(staffId) ?? []).map(({ minute }) => minute)
  const matched = matchPunches(plans, punches, dayCutOf)
  const days: PersonDay[] = []
  const without: Day[] = []
  for (const plan of plans.slice(1, -1)) {
    const epochDay = toEpochDays(plan.date)
    const groupId = groupOn(epochDay)
    if (inputs.closedMonths.has(monthOf(plan.date))) continue
    if (groupId === undefined || isExempt(epochDay)) {
      without.push(plan.date)
      continue
    }
    const figures = judgeDay({
      plan,
      matched: matched.days.get(plan.date),
      covers: inputs.covers.get(staffId) ?? [],
      overtimes: inputs.overtimes.get(staffId) ?? [],
      rules: inputs.groups.get(groupId),
      now,
    })
    days.push({ date: plan.date, groupId, plan, figures })
  }
  return { days, without, matched }
}

/** The days that a punch, or a document from one day to another, may change. */
export const affectedSpan = (from: Day, to: Day): Span => ({ from: addDays(from, -1), to: addDays(to, 1) })
