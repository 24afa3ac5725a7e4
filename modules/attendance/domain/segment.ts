import { lengthOf, minutesWithin, subtract, type Interval } from './intervals.ts'
import type { Shift } from './shift.ts'

export type PointResult =
  | 'normal'
  | 'late'
  | 'severeLate'
  | 'early'
  | 'absentHalf'
  | 'missing'
  | 'excused'
  | 'pending'

/** How one segment of a day was worked (ATT-5 to ATT-9). */
export interface SegmentResult {
  readonly segment: Interval
  readonly inPunch?: number | undefined
  readonly outPunch?: number | undefined
  readonly inResult: PointResult
  readonly outResult: PointResult
  readonly lateMinutes: number
  readonly earlyMinutes: number
  /** By how much the end moved, because of a late arrival within the flexible minutes (ATT-8). */
  readonly movedMinutes: number
  /** Minutes that had to be worked. */
  readonly dueMinutes: number
  readonly workMinutes: number
  readonly isAbsent: boolean
}

/** Two punches closer than this are one: somebody pressed twice. */
export const repeatedMinutes = 10

/**
 * The first punch up to the middle came in, the last one after it went out. A person who came only after the
 * middle, or left before it, has punched twice on one side of it.
 */
export function choosePunches(
  punches: readonly number[],
  { begin, end }: Interval,
): { readonly inPunch?: number | undefined; readonly outPunch?: number | undefined } {
  const before = punches.filter(punch => punch * 2 <= begin + end)
  const after = punches.filter(punch => punch * 2 > begin + end)
  const apart = (side: readonly number[]): boolean => (side.at(-1) ?? 0) - (side[0] ?? 0) >= repeatedMinutes
  if (!before.length) return { inPunch: apart(after) ? after[0] : undefined, outPunch: after.at(-1) }
  const last = before.at(-1) ?? begin
  if (!after.length) return { inPunch: before[0], outPunch: apart(before) && last > begin ? last : undefined }
  return { inPunch: before[0], outPunch: after.at(-1) }
}

function resultOfLateness(minutes: number, { lateGrace, severeLate, absentLate }: Shift): PointResult {
  if (minutes <= lateGrace) return 'normal'
  if (minutes <= severeLate) return 'late'
  return minutes <= absentLate ? 'severeLate' : 'absentHalf'
}

function resultOfLeaving(minutes: number, { earlyGrace, absentEarly }: Shift): PointResult {
  if (minutes <= earlyGrace) return 'normal'
  return minutes <= absentEarly ? 'early' : 'absentHalf'
}

/** Minutes not worked before the end, which a late arrival within the flexible minutes has moved. */
function minutesEarly(due: readonly Interval[], end: number, out: number, moved: number): number {
  const made = Math.min(Math.max(out - end, 0), moved)
  return minutesWithin(due, out, end) + moved - made
}

interface SegmentInput {
  readonly segment: Interval
  readonly shift: Shift
  readonly punches: readonly number[]
  readonly rests: readonly Interval[]
  /** Leave, trips, work elsewhere: minutes in which the person does not have to be there (ATT-9). */
  readonly covers: readonly Interval[]
  /** The window is still open: what is missing may still come. */
  readonly isOpen: boolean
}

const excused = (segment: Interval): SegmentResult => ({
  segment,
  inResult: 'excused',
  outResult: 'excused',
  lateMinutes: 0,
  earlyMinutes: 0,
  movedMinutes: 0,
  dueMinutes: 0,
  workMinutes: 0,
  isAbsent: false,
})

type Need = 'must' | 'covered' | 'free'

/** What a point without a punch means. */
function withoutPunch(need: Need, isOpen: boolean): PointResult {
  if (need === 'must') return isOpen ? 'pending' : 'missing'
  return need === 'covered' ? 'excused' : 'normal'
}

/**
 * A person who is away at such a point cannot punch there (ATT-9). One punch is needed all the same: without
 * any, nothing shows that the rest was worked.
 */
function needOf(isMust: boolean, isCovered: boolean, isUnpunched: boolean): Need {
  if (!isMust) return 'free'
  return isCovered && !isUnpunched ? 'covered' : 'must'
}

export function judgeSegment({
  segment,
  shift,
  punches,
  rests,
  covers,
  isOpen,
}: SegmentInput): SegmentResult {
  const work = subtract([segment], rests)
  const due = subtract(work, covers)
  const [first] = due
  const last = due.at(-1)
  if (!first || !last) return excused(segment)
  const hull = { begin: first.begin, end: last.end }
  const { inPunch, outPunch } = choosePunches(punches, hull)
  const isUnpunched = inPunch === undefined && outPunch === undefined
  const needsIn = needOf(shift.mustIn, hull.begin > (work[0]?.begin ?? hull.begin), isUnpunched)
  const needsOut = needOf(shift.mustOut, hull.end < (work.at(-1)?.end ?? hull.end), isUnpunched)
  const missed = inPunch === undefined ? 0 : minutesWithin(due, hull.begin, inPunch)
  const moved = missed <= shift.flexMinutes ? missed : 0
  const late = missed - moved
  const early = outPunch === undefined ? 0 : minutesEarly(due, hull.end, outPunch, moved)
  const inResult = inPunch === undefined ? withoutPunch(needsIn, isOpen) : resultOfLateness(late, shift)
  const outResult = outPunch === undefined ? withoutPunch(needsOut, isOpen) : resultOfLeaving(early, shift)
  const from = inPunch ?? (needsIn === 'must' ? undefined : hull.begin)
  const to = outPunch ?? (needsOut === 'must' ? undefined : hull.end)
  // A moved end is worked as well as the minutes it replaces.
  const made = outPunch === undefined ? 0 : Math.min(Math.max(outPunch - hull.end, 0), moved)
  return {
    segment,
    inPunch,
    outPunch,
    inResult,
    outResult,
    // The results of a point exclude each other (ATT-5, ATT-6): half a day of absence is not late as well.
    lateMinutes: inResult === 'late' || inResult === 'severeLate' ? late : 0,
    earlyMinutes: outResult === 'early' ? early : 0,
    movedMinutes: moved,
    dueMinutes: lengthOf(due),
    workMinutes: from === undefined || to === undefined ? 0 : minutesWithin(due, from, to) + made,
    isAbsent: isUnpunched && !isOpen && (shift.mustIn || shift.mustOut),
  }
}
