import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { lengthOf, minuteOfMidnight, minutesOfDay, type Interval } from './intervals.ts'

/** The parts of a shift as people write them: clock times, each perhaps on the next day. */
export interface ShiftTime {
  readonly in: string
  readonly inNext?: boolean
  readonly out: string
  readonly outNext?: boolean
}

/** ATT-1 */
export interface Shift {
  readonly id: Id
  readonly shiftName: string
  readonly segments: readonly ShiftTime[]
  readonly rests: readonly ShiftTime[]
  readonly lateGrace: number
  readonly severeLate: number
  readonly absentLate: number
  readonly earlyGrace: number
  readonly absentEarly: number
  readonly flexMinutes: number
  readonly earliestIn: number
  readonly latestOut: number
  readonly mustIn: boolean
  readonly mustOut: boolean
}

const minuteOfClock = (clock: string, isNext: boolean | undefined): number =>
  Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5)) + (isNext ? minutesOfDay : 0)

const timeOnDay = ({ in: begin, inNext, out: end, outNext }: ShiftTime, midnight: number): Interval => ({
  begin: midnight + minuteOfClock(begin, inNext),
  end: midnight + minuteOfClock(end, outNext),
})

/** Segments or rests of a day. */
export const timesOnDay = (times: readonly ShiftTime[], day: Day): Interval[] =>
  times.map(time => timeOnDay(time, minuteOfMidnight(day)))

/** Standard minutes: the segments less the rest (ATT-1). */
export const workMinutesOf = (segments: readonly ShiftTime[], rests: readonly ShiftTime[]): number =>
  lengthOf(segments.map(time => timeOnDay(time, 0))) - lengthOf(rests.map(time => timeOnDay(time, 0)))

/** What is wrong with a shift, by the field that says it. */
export interface ShiftFault {
  readonly field: 'segments' | 'rests' | 'severeLate' | 'absentLate' | 'absentEarly' | 'mustIn'
  readonly message: string
}

function segmentFault(segments: readonly Interval[]): string | undefined {
  const [first] = segments
  const last = segments.at(-1)
  if (!first || !last) return '请填写上下班时间'
  if (segments.length > 3) return '一个班次最多 3 个时段'
  for (const [i, { begin, end }] of segments.entries()) {
    if (end <= begin) return `第 ${i + 1} 段下班时间应晚于上班时间，跨零点请选「次日」`
    const before = segments[i - 1]
    if (before && begin < before.end) return `第 ${i + 1} 段应在第 ${i} 段之后`
  }
  if (first.begin >= minutesOfDay) return '第 1 段应在当日上班'
  if (last.end - first.begin > minutesOfDay) return '班次从上班到下班不能超过 24 小时'
  return undefined
}

function restFault(rests: readonly Interval[], segments: readonly Interval[]): string | undefined {
  for (const [i, { begin, end }] of rests.entries()) {
    if (end <= begin) return `第 ${i + 1} 段休息的止应晚于起，跨零点请选「次日」`
    if (!segments.some(segment => begin >= segment.begin && end <= segment.end))
      return `第 ${i + 1} 段休息应在上班时段内`
    const before = rests[i - 1]
    if (before && begin < before.end) return `第 ${i + 1} 段休息应在第 ${i} 段之后`
  }
  return undefined
}

export function shiftFaults(shift: Omit<Shift, 'id' | 'shiftName'>): ShiftFault[] {
  const segments = shift.segments.map(time => timeOnDay(time, 0))
  const rests = shift.rests.map(time => timeOnDay(time, 0))
  const faults: ShiftFault[] = []
  const segment = segmentFault(segments)
  if (segment) return [{ field: 'segments', message: segment }]
  const rest = restFault(rests, segments)
  if (rest) {
    faults.push({ field: 'rests', message: rest })
  } else if (workMinutesOf(shift.segments, shift.rests) <= 0) {
    faults.push({ field: 'rests', message: '休息不能占满全部上班时间' })
  }
  if (shift.severeLate < shift.lateGrace) {
    faults.push({ field: 'severeLate', message: '严重迟到应不小于迟到宽限' })
  }
  if (shift.absentLate < shift.severeLate) {
    faults.push({ field: 'absentLate', message: '旷工迟到应不小于严重迟到' })
  }
  if (shift.absentEarly < shift.earlyGrace) {
    faults.push({ field: 'absentEarly', message: '旷工早退应不小于早退宽限' })
  }
  return faults
}

/**
 * The first two days of a week table, by their place in the week from 0, of which the later shift begins
 * before the earlier one has ended. The week begins again after its last day.
 */
export function overlapInWeek(
  week: readonly (readonly ShiftTime[] | undefined)[],
): readonly [before: number, after: number] | undefined {
  for (const [i, times] of week.entries()) {
    const after = (i + 1) % week.length
    const last = times?.at(-1)
    const first = week[after]?.[0]
    if (!last || !first) continue
    if (timeOnDay(first, minutesOfDay).begin < timeOnDay(last, 0).end) return [i, after]
  }
  return undefined
}

const timeText = ({ in: begin, inNext, out: end, outNext }: ShiftTime): string =>
  `${inNext ? '次日' : ''}${begin}–${outNext ? '次日' : ''}${end}`

/** `09:00–12:00、13:00–18:00` */
export const timesText = (times: readonly ShiftTime[]): string => times.map(timeText).join('、')
