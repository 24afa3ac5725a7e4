import {
  addDays,
  addMonths,
  firstOfMonth,
  dayOf,
  daysInMonth,
  earliest,
  latest,
  partsOf,
  type Day,
} from '#kit/domain/day.ts'
import type { Period } from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { chargeMode, dueBase, startRule } from '../contract/choices.ts'

/** The days of an object: a room's delivery, a resident's moving in, the range of a lease or card. */
export interface SourceDates {
  readonly delivered?: Day | undefined
  readonly movedIn?: Day | undefined
  readonly leaseFrom?: Day | undefined
  readonly leaseTo?: Day | undefined
  readonly cardFrom?: Day | undefined
  readonly cardTo?: Day | undefined
}

type StartRule = ChoiceOf<typeof startRule>

const startDaysByRule: Readonly<
  Record<StartRule, (relationFrom: Day | undefined, d: SourceDates) => Day | undefined>
> = {
  fixedDate: relationFrom => relationFrom,
  delivery: (_, d) => d.delivered,
  monthAfterDelivery: (_, d) => d.delivered && addMonths(firstOfMonth(d.delivered), 1),
  moveIn: (_, d) => d.movedIn,
  lease: (_, d) => d.leaseFrom,
  card: (_, d) => d.cardFrom,
}

/**
 * The latest of the relation's begin, the standard's first day and what the rule names; nothing when that is
 * missing (CYC-2: START_DATE_MISSING).
 */
export function chargingStart(
  rule: StartRule,
  relationFrom: Day | undefined,
  standardFrom: Day | undefined,
  dates: SourceDates,
): Day | undefined {
  const named = startDaysByRule[rule](relationFrom, dates)
  return named && latest(named, ...[relationFrom, standardFrom].filter(d => d !== undefined))
}

/** The earliest end there is, inclusive (CYC-3). */
export function chargingEnd(...ends: readonly (Day | undefined)[]): Day | undefined {
  const [first, ...rest] = ends.filter(d => d !== undefined)
  return first === undefined ? undefined : earliest(first, ...rest)
}

/** When a period becomes due for billing (GEN-1). */
export interface Timing {
  readonly mode: ChoiceOf<typeof chargeMode>
  readonly advanceDays: number
  readonly delayDays: number
}

export const generationDay = ({ mode, advanceDays, delayDays }: Timing, p: Period): Day =>
  mode === 'ahead' ? addDays(p.begin, -advanceDays) : addDays(p.end, 1 + delayDays)

/** When a bill must be paid (GEN-10). `isWorkday`: given when days off are skipped. */
export interface DueRule {
  readonly base: ChoiceOf<typeof dueBase>
  readonly days: number
  readonly isWorkday?: ((d: Day) => boolean) | undefined
}

/** The n-th of the month on or after a day; a month without that day has its last one. */
const nextDayOfMonth = (from: Day, index: number): Day => {
  const [y, month] = partsOf(from)
  const candidate = dayOf(y, month, Math.min(index, daysInMonth(from)))
  if (candidate >= from) return candidate
  const next = addMonths(firstOfMonth(from), 1)
  const [ny, nm] = partsOf(next)
  return dayOf(ny, nm, Math.min(index, daysInMonth(next)))
}

/**
 * GEN-10: base day + `days`; with `fixed`, `days` is the day of the month (1–31), the first one not before
 * billing and the period's begin. Throws RangeError when a fixed day is out of range or no working day
 * follows within sixty days.
 */
export function dueDate({ base, days, isWorkday }: DueRule, billedOn: Day, period: Period): Day {
  if (base === 'fixed' && !(days >= 1 && days <= 31)) throw new RangeError('每月固定缴费日应为 1 到 31')
  let due =
    base === 'fixed'
      ? nextDayOfMonth(latest(billedOn, period.begin), days)
      : addDays(base === 'billed' ? billedOn : base === 'begin' ? period.begin : period.end, days)
  if (!isWorkday) return due
  for (let n = 0; n < 60; n++, due = addDays(due, 1)) {
    if (isWorkday(due)) return due
  }
  throw new RangeError('应缴日之后六十天内没有工作日，请检查节假日设置')
}

/**
 * CYC-8: `backwards` bills the suspended time too, `onwards` charges from the day of resuming. Returns the
 * new BilledTo.
 */
export const resumeBilledTo = (
  mode: 'backwards' | 'onwards',
  billedTo: Day | undefined,
  on: Day,
): Day | undefined =>
  mode === 'backwards'
    ? billedTo
    : billedTo === undefined || billedTo < addDays(on, -1)
      ? addDays(on, -1)
      : billedTo
