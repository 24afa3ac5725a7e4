import type { Day } from '#kit/domain/day.ts'
import {
  intersect,
  lengthOf,
  minuteOfMidnight,
  minutesOfDay,
  minutesWithin,
  subtract,
  type Interval,
} from './intervals.ts'
import { windowOf, type MatchedDay } from './matching.ts'
import type { DayPlan, GroupRules } from './plan.ts'
import { judgeSegment, repeatedMinutes, type PointResult, type SegmentResult } from './segment.ts'
import { timesOnDay, workMinutesOf } from './shift.ts'

export type DayState =
  | 'normal'
  | 'late'
  | 'early'
  | 'lateAndEarly'
  | 'missing'
  | 'absent'
  | 'leave'
  | 'rest'
  | 'trip'
  | 'unscheduled'

/** An approved absence: leave, or work elsewhere (ATT-9). */
export interface Cover extends Interval {
  readonly kind: 'leave' | 'trip' | 'out'
  /** For leave: its sort. */
  readonly leaveType?: string | undefined
}

export interface DayInput {
  readonly plan: DayPlan
  readonly matched: MatchedDay | undefined
  readonly covers: readonly Cover[]
  readonly overtimes: readonly Interval[]
  readonly rules: GroupRules | undefined
  /** The present minute: what is still to come is not missing. */
  readonly now: number
}

export interface LeaveOfKind {
  readonly leaveType: string
  readonly minutes: number
}

/** The figures of a day, from which its record is written. */
export interface DayFigures {
  /** Undefined while nothing can be judged yet. */
  readonly state: DayState | undefined
  /** Something may still come: the next pass judges it. */
  readonly isOpen: boolean
  readonly inPunch?: number | undefined
  readonly outPunch?: number | undefined
  readonly segments: readonly SegmentResult[]
  readonly dueMinutes: number
  readonly workMinutes: number
  readonly lateMinutes: number
  readonly earlyMinutes: number
  readonly isSevereLate: boolean
  readonly missingCount: number
  /** 0, 1 or 2. */
  readonly absentHalves: number
  readonly leaves: readonly LeaveOfKind[]
  readonly leaveMinutes: number
  readonly tripMinutes: number
  readonly overtimeMinutes: number
}

const noPunches: MatchedDay = { bySegment: new Map(), loose: [] }

const emptyFigures = {
  isOpen: false,
  segments: [],
  dueMinutes: 0,
  workMinutes: 0,
  lateMinutes: 0,
  earlyMinutes: 0,
  isSevereLate: false,
  missingCount: 0,
  absentHalves: 0,
  leaves: [],
  leaveMinutes: 0,
  tripMinutes: 0,
  overtimeMinutes: 0,
} satisfies Partial<DayFigures>

/** First and last of the punches that lie apart. */
function spanOf(punches: readonly number[]): { inPunch?: number | undefined; outPunch?: number | undefined } {
  const [first] = punches
  const last = punches.at(-1)
  if (first === undefined || last === undefined) return {}
  return last - first < repeatedMinutes ? { inPunch: first } : { inPunch: first, outPunch: last }
}

const isWork = ({ kind }: Cover): boolean => kind !== 'leave'

/** The covered minutes of working time, by sort; where two overlap, work elsewhere goes before leave. */
function coveredMinutes(due: readonly Interval[], covers: readonly Cover[]) {
  const tripMinutes = lengthOf(intersect(due, covers.filter(isWork)))
  let left = subtract(due, covers.filter(isWork))
  const byKind = new Map<string, number>()
  for (const cover of covers) {
    if (isWork(cover)) continue
    const minutes = lengthOf(intersect(left, [cover]))
    left = subtract(left, [cover])
    const sort = cover.leaveType ?? ''
    if (minutes) {
      byKind.set(sort, (byKind.get(sort) ?? 0) + minutes)
    }
  }
  const leaves = [...byKind].map(([leaveType, minutes]) => ({ leaveType, minutes }))
  return { tripMinutes, leaves, leaveMinutes: leaves.reduce((sum, { minutes }) => sum + minutes, 0) }
}

/** Overtime begins with its day of work: what lasts over midnight counts there (ATT-9). */
const overtimeOf = (date: Day, overtimes: readonly Interval[]): number => {
  const midnight = minuteOfMidnight(date)
  return lengthOf(overtimes.filter(({ begin }) => begin >= midnight && begin < midnight + minutesOfDay))
}

const pointCount = (segments: readonly SegmentResult[], ...results: readonly PointResult[]): number =>
  segments
    .flatMap(({ inResult, outResult }) => [inResult, outResult])
    .filter(result => results.includes(result)).length

/** Half days of absence: by the share of the day that has no punch at all, and each half for its own. */
function absentHalvesOf(segments: readonly SegmentResult[], standard: number, missing: number): number {
  const share = segments.reduce((sum, s) => sum + (s.isAbsent ? s.dueMinutes : 0), 0)
  const whole = share ? Math.max(1, Math.round((share * 2) / standard)) : 0
  return Math.min(2, whole + pointCount(segments, 'absentHalf') + missing)
}

type Judged = Pick<
  DayFigures,
  'absentHalves' | 'missingCount' | 'lateMinutes' | 'earlyMinutes' | 'tripMinutes' | 'leaveMinutes' | 'isOpen'
> & { readonly isJudged: boolean }

/** ATT-10; the worst first. */
function stateOf(day: Judged): DayState | undefined {
  if (day.absentHalves) return 'absent'
  if (day.missingCount) return 'missing'
  if (day.lateMinutes && day.earlyMinutes) return 'lateAndEarly'
  if (day.lateMinutes) return 'late'
  if (day.earlyMinutes) return 'early'
  if (day.tripMinutes) return 'trip'
  if (day.leaveMinutes) return 'leave'
  return day.isJudged ? 'normal' : undefined
}

function judgeShiftDay(
  { plan, covers, rules, now }: DayInput & { plan: DayPlan & { kind: 'shift' } },
  { bySegment }: MatchedDay,
): Omit<DayFigures, 'overtimeMinutes'> {
  const { shift, date } = plan
  const rests = timesOnDay(shift.rests, date)
  const whole = timesOnDay(shift.segments, date)
  const due = subtract(whole, rests)
  const standard = workMinutesOf(shift.segments, shift.rests)
  const segments = whole.map((segment, i) =>
    judgeSegment({
      segment,
      shift,
      punches: bySegment.get(i) ?? [],
      rests,
      covers,
      isOpen: now <= windowOf(segment, shift).end,
    }),
  )
  const { tripMinutes, leaves, leaveMinutes } = coveredMinutes(due, covers)
  const missing = pointCount(
    segments.filter(({ isAbsent }) => !isAbsent),
    'missing',
  )
  const isMendable = now < minuteOfMidnight(date) + ((rules?.mendDays ?? 0) + 1) * minutesOfDay
  const isCounted = rules?.missingIsAbsent === true && !isMendable
  const isOpen = pointCount(segments, 'pending') > 0
  const figures = {
    isOpen,
    inPunch: segments.find(({ inPunch }) => inPunch !== undefined)?.inPunch,
    outPunch: segments.findLast(({ outPunch }) => outPunch !== undefined)?.outPunch,
    segments,
    dueMinutes: standard,
    workMinutes: tripMinutes + segments.reduce((sum, { workMinutes }) => sum + workMinutes, 0),
    lateMinutes: segments.reduce((sum, { lateMinutes }) => sum + lateMinutes, 0),
    earlyMinutes: segments.reduce((sum, { earlyMinutes }) => sum + earlyMinutes, 0),
    isSevereLate: pointCount(segments, 'severeLate') > 0,
    missingCount: isCounted ? 0 : missing,
    absentHalves: absentHalvesOf(segments, standard, isCounted ? missing : 0),
    leaves,
    leaveMinutes,
    tripMinutes,
  }
  return { ...figures, state: stateOf({ ...figures, isJudged: !isOpen }) }
}

function judgeFreeDay(
  { plan, covers, rules, now }: DayInput,
  { loose }: MatchedDay,
): Omit<DayFigures, 'overtimeMinutes'> {
  const begin = minuteOfMidnight(plan.date) + (rules?.dayCutMinutes ?? 0)
  const end = begin + minutesOfDay
  const standard = rules?.minMinutes ?? 0
  const covered = coveredMinutes([{ begin, end }], covers)
  const tripMinutes = Math.min(standard, covered.tripMinutes)
  const leaveMinutes = Math.min(standard - tripMinutes, covered.leaveMinutes)
  const { inPunch, outPunch } = spanOf(loose)
  const isOpen = now < end
  const worked = inPunch === undefined || outPunch === undefined ? 0 : outPunch - inPunch
  const isUnpunched = inPunch === undefined
  const needed = standard - tripMinutes - leaveMinutes
  const short = !isOpen && outPunch !== undefined ? Math.max(0, needed - worked) : 0
  const figures = {
    isOpen,
    inPunch,
    outPunch,
    segments: [],
    dueMinutes: standard,
    workMinutes: worked + tripMinutes,
    lateMinutes: 0,
    earlyMinutes: short,
    isSevereLate: false,
    missingCount: !isOpen && needed > 0 && !isUnpunched && outPunch === undefined ? 1 : 0,
    absentHalves:
      !isOpen && needed > 0 && isUnpunched
        ? Math.min(2, Math.max(1, Math.round((needed * 2) / standard)))
        : 0,
    leaves: shareOut(covered.leaves, leaveMinutes),
    leaveMinutes,
    tripMinutes,
  }
  return { ...figures, state: stateOf({ ...figures, isJudged: !isOpen }) }
}

/** Leave of a day with free hours: no more than the hours that it asks for. */
function shareOut(leaves: readonly LeaveOfKind[], most: number): LeaveOfKind[] {
  let left = most
  return leaves.flatMap(({ leaveType, minutes }) => {
    const counted = Math.min(left, minutes)
    left -= counted
    return counted ? [{ leaveType, minutes: counted }] : []
  })
}

/** ATT-5 to ATT-10: the figures of one day from its plan, its punches and what was approved. */
export function judgeDay(input: DayInput): DayFigures {
  const { plan, rules, overtimes, now } = input
  const matched = input.matched ?? noPunches
  const approved = overtimeOf(plan.date, overtimes)
  if (plan.kind === 'shift')
    return { ...judgeShiftDay({ ...input, plan }, matched), overtimeMinutes: approved }
  if (plan.kind === 'free') return { ...judgeFreeDay(input, matched), overtimeMinutes: approved }
  const span = spanOf(matched.loose)
  const present = span.inPunch === undefined || span.outPunch === undefined ? 0 : span.outPunch - span.inPunch
  const byPunches = plan.kind === 'rest' && rules?.overtimeByPunches === true ? present : 0
  return {
    ...emptyFigures,
    ...span,
    isOpen: now < minuteOfMidnight(plan.date) + minutesOfDay,
    state: plan.kind === 'rest' ? 'rest' : 'unscheduled',
    workMinutes: plan.kind === 'rest' ? 0 : present,
    overtimeMinutes: Math.max(approved, byPunches),
  }
}

/** Minutes of a day that an interval of applications takes of the work that is due: what leave costs. */
export function dueMinutesWithin(plan: DayPlan, { begin, end }: Interval): number {
  if (plan.kind !== 'shift') return 0
  const due = subtract(timesOnDay(plan.shift.segments, plan.date), timesOnDay(plan.shift.rests, plan.date))
  return minutesWithin(due, begin, end)
}
