import type { Day } from '#kit/domain/day.ts'
import { dayOfMinute, type Interval } from './intervals.ts'
import type { DayPlan } from './plan.ts'
import { timesOnDay } from './shift.ts'

/** One segment of one day, with the window in which its punches lie. */
interface SegmentWindow {
  readonly date: Day
  readonly index: number
  readonly segment: Interval
  readonly window: Interval
}

export const windowOf = (
  segment: Interval,
  { earliestIn, latestOut }: { readonly earliestIn: number; readonly latestOut: number },
): Interval => ({ begin: segment.begin - earliestIn, end: segment.end + latestOut })

const windowsOf = (plans: readonly DayPlan[]): SegmentWindow[] =>
  plans
    .flatMap(plan =>
      plan.kind === 'shift'
        ? timesOnDay(plan.shift.segments, plan.date).map((segment, index) => ({
            date: plan.date,
            index,
            segment,
            window: windowOf(segment, plan.shift),
          }))
        : [],
    )
    .toSorted((a, b) => a.segment.begin - b.segment.begin)

/** The day of work that a punch belongs to, and its segment where the day has any. */
export interface PunchPlace {
  readonly date: Day
  readonly index?: number
}

/**
 * ATT-4: a punch belongs to the segment whose window holds it. Where several do, each yields to the next one
 * at the middle between its end and the beginning of that. What no window holds belongs to its calendar day.
 */
function placeOf(
  punch: number,
  windows: readonly SegmentWindow[],
  dayCutOf: (day: Day) => number,
): PunchPlace {
  let found: SegmentWindow | undefined
  for (const candidate of windows) {
    if (candidate.window.begin > punch || candidate.window.end < punch) continue
    if (!found || punch * 2 > found.segment.end + candidate.segment.begin) {
      found = candidate
    }
  }
  if (found) return { date: found.date, index: found.index }
  const calendarDay = dayOfMinute(punch)
  return { date: dayOfMinute(punch - dayCutOf(calendarDay)) }
}

export interface MatchedDay {
  /** Punches of each segment, in order. */
  readonly bySegment: ReadonlyMap<number, readonly number[]>
  /** Those of a day without segments. */
  readonly loose: readonly number[]
}

export interface MatchedPunches {
  readonly days: ReadonlyMap<Day, MatchedDay>
  readonly dateOf: ReadonlyMap<number, Day>
}

/** Gives each punch its day; `plans` reach a day further than the days asked, on both sides. */
export function matchPunches(
  plans: readonly DayPlan[],
  punches: readonly number[],
  dayCutOf: (day: Day) => number = () => 0,
): MatchedPunches {
  const windows = windowsOf(plans)
  const days = new Map<Day, { bySegment: Map<number, number[]>; loose: number[] }>()
  const dateOf = new Map<number, Day>()
  for (const punch of [...new Set(punches)].toSorted((a, b) => a - b)) {
    const { date, index } = placeOf(punch, windows, dayCutOf)
    const day = days.get(date) ?? { bySegment: new Map<number, number[]>(), loose: [] }
    days.set(date, day)
    dateOf.set(punch, date)
    if (index === undefined) {
      day.loose.push(punch)
    } else {
      day.bySegment.set(index, [...(day.bySegment.get(index) ?? []), punch])
    }
  }
  return { days, dateOf }
}
