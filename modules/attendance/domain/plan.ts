import { weekday, type Day } from '#kit/domain/day.ts'
import type { Shift } from './shift.ts'

export type GroupKind = 'fixed' | 'schedule' | 'free'
export type HolidayKind = 'rest' | 'work' | 'own'

/** What of a group decides a day (ATT-2). */
export interface GroupRules {
  readonly groupType: GroupKind
  /** By the day of the week, 1 to 7: the shift, or 0 for rest. */
  readonly week: ReadonlyMap<number, number>
  /** For a group with free hours: minutes after midnight at which its day begins. */
  readonly dayCutMinutes: number
  readonly minMinutes: number
  readonly overtimeByPunches: boolean
  /** A missing punch that can no longer be mended counts as half a day (ATT-7). */
  readonly missingIsAbsent: boolean
  readonly mendDays: number
}

export interface Holiday {
  readonly name: string
  readonly kind: HolidayKind
}

/** Which of the three decided (ATT-2: personal schedule > holiday table > week table). */
export type PlanBasis = 'schedule' | 'holiday' | 'week' | 'none'

/** Overtime is paid by the sort of the day. */
export type DaySort = 'weekday' | 'rest' | 'holiday'

/** What a person has to do on a day. */
export type DayPlan = {
  readonly date: Day
  readonly basis: PlanBasis
  readonly daySort: DaySort
  readonly holiday?: Holiday | undefined
} & (
  | { readonly kind: 'shift'; readonly shift: Shift }
  | { readonly kind: 'free' }
  | { readonly kind: 'rest' }
  | { readonly kind: 'unscheduled' }
)

interface PlanInput {
  readonly date: Day
  readonly group: GroupRules | undefined
  /** The personal schedule of the date: a shift, or 0 for rest. */
  readonly scheduled: number | undefined
  readonly holiday: Holiday | undefined
  readonly shifts: ReadonlyMap<number, Shift>
}

/** The shift of a day that is worked although the week table says rest: that of the first worked weekday. */
const firstShiftOf = (week: ReadonlyMap<number, number>): number =>
  [1, 2, 3, 4, 5, 6, 7].map(n => week.get(n) ?? 0).find(id => id !== 0) ?? 0

/** ATT-2 */
export function planDay({ date, group, scheduled, holiday, shifts }: PlanInput): DayPlan {
  const common = { date, ...(holiday ? { holiday } : {}) }
  const offSort: DaySort = holiday?.kind === 'rest' ? 'holiday' : 'rest'
  const workSort: DaySort = holiday?.kind === 'rest' ? 'holiday' : 'weekday'
  const worked = (id: number, basis: PlanBasis): DayPlan => {
    const shift = shifts.get(id)
    return shift
      ? { ...common, basis, daySort: workSort, kind: 'shift', shift }
      : { ...common, basis: 'none', daySort: workSort, kind: 'unscheduled' }
  }
  const rest = (basis: PlanBasis): DayPlan => ({ ...common, basis, daySort: offSort, kind: 'rest' })
  if (scheduled !== undefined) return scheduled ? worked(scheduled, 'schedule') : rest('schedule')
  if (!group || group.groupType === 'schedule')
    return { ...common, basis: 'none', daySort: workSort, kind: 'unscheduled' }
  const byWeek = group.week.get(weekday(date)) ?? 0
  const isFree = group.groupType === 'free'
  const free = (basis: PlanBasis): DayPlan => ({ ...common, basis, daySort: workSort, kind: 'free' })
  if (holiday) {
    if (holiday.kind !== 'work') return rest('holiday')
    if (isFree) return free('holiday')
    return worked(byWeek || firstShiftOf(group.week), 'holiday')
  }
  if (isFree) return byWeek ? free('week') : rest('week')
  return byWeek ? worked(byWeek, 'week') : rest('week')
}
