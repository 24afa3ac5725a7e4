import { defined } from '#kit/domain/defined.ts'
import { addDays, addMonthsFrom, monthsSince, type Day } from '#kit/domain/day.ts'
import { lastDay, monthOf, monthsBetween, shiftMonth } from '#kit/domain/month.ts'
import type { Period } from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { cycleType } from '../contract/choices.ts'

/**
 * CYC-1. `alignYear`: blocks of the calendar year (quarters …) instead of blocks counted from the start
 * month.
 */
export interface Cycle {
  readonly type: ChoiceOf<typeof cycleType>
  /** 1, 2, 3, 4, 6 or 12 once it is saved (`validateStandard`); a draft may say any. */
  readonly months: number
  readonly alignYear: boolean
}

/** Where charging begins, and the last day of it when there is one (both inclusive, CYC-3). */
export interface ChargingRange {
  readonly start: Day
  readonly end?: Day
}

const naturalEnd = ({ months, alignYear }: Cycle, start: Day, begin: Day): Day => {
  const month = monthOf(begin)
  const into = alignYear
    ? (Number(month.slice(5)) - 1) % months
    : monthsBetween(monthOf(start), month) % months
  return lastDay(shiftMonth(month, months - 1 - into))
}

/** From the anchor each time, so that 01-31 comes back to 03-31 (CYC-6, T-CYC-01). */
const anniversaryEnd = ({ months }: Cycle, start: Day, begin: Day): Day =>
  addDays(addMonthsFrom(start, (Math.floor(monthsSince(start, begin) / months) + 1) * months), -1)

/**
 * The period after `billedTo`, or the first one: from the next day to the end of its block, cut at the end of
 * charging (CYC-3 to CYC-6). Nothing when charging has ended, or a one-off has been billed.
 */
export function nextPeriod(cycle: Cycle, { start, end }: ChargingRange, billedTo?: Day): Period | undefined {
  const begin = billedTo === undefined || billedTo < start ? start : addDays(billedTo, 1)
  if (end !== undefined && begin > end) return undefined
  if (cycle.type === 'once')
    return billedTo !== undefined && billedTo >= start ? undefined : { begin, end: end ?? begin }
  const last =
    cycle.type === 'natural' ? naturalEnd(cycle, start, begin) : anniversaryEnd(cycle, start, begin)
  return { begin, end: end !== undefined && end < last ? end : last }
}

/** The next `count` periods, oldest first. */
export function nextPeriods(
  cycle: Cycle,
  charging: ChargingRange,
  billedTo: Day | undefined,
  count: number,
): Period[] {
  const out: Period[] = []
  for (let to = billedTo; out.length < count; to = defined(out.at(-1)).end) {
    const next = nextPeriod(cycle, charging, to)
    if (!next) break
    out.push(next)
  }
  return out
}
