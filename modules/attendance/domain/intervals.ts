import { fromEpochDays, toEpochDays, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, momentAt, type Moment } from '#kit/domain/moment.ts'

/** Minutes since 1970-01-01 of the wall clock: the end is not part of it. */
export interface Interval {
  readonly begin: number
  readonly end: number
}

export const minutesOfDay = 1440

export const minuteOfMidnight = (day: Day): number => toEpochDays(day) * minutesOfDay

/** The minute of a moment; its seconds do not count. */
export const minuteOf = (moment: Moment): number =>
  minuteOfMidnight(dayOfMoment(moment)) + Number(moment.slice(11, 13)) * 60 + Number(moment.slice(14, 16))

export const dayOfMinute = (minute: number): Day => fromEpochDays(Math.floor(minute / minutesOfDay))

const pad = (n: number): string => String(n).padStart(2, '0')

/** `HH:mm`, whichever the day. */
export function clockOf(minute: number): string {
  const inDay = ((minute % minutesOfDay) + minutesOfDay) % minutesOfDay
  return `${pad(Math.floor(inDay / 60))}:${pad(inDay % 60)}`
}

const dayPrefixes: Readonly<Record<number, string>> = { [-1]: '前一日 ', 0: '', 1: '次日 ' }

/** `次日 06:03`, as people read a time that belongs to a day of work. */
export function clockOnDay(minute: number, workDate: Day): string {
  const days = Math.floor((minute - minuteOfMidnight(workDate)) / minutesOfDay)
  return `${dayPrefixes[days] ?? `${dayOfMinute(minute)} `}${clockOf(minute)}`
}

export const momentOfMinute = (minute: number): Moment => momentAt(dayOfMinute(minute), clockOf(minute))

/** The minutes of `whole` that none of `holes` covers, in order. */
export function subtract(whole: readonly Interval[], holes: readonly Interval[]): Interval[] {
  let left: Interval[] = [...whole]
  for (const hole of holes) {
    left = left.flatMap(part =>
      hole.end <= part.begin || hole.begin >= part.end
        ? [part]
        : [
            { begin: part.begin, end: Math.max(part.begin, hole.begin) },
            { begin: Math.min(part.end, hole.end), end: part.end },
          ].filter(({ begin, end }) => end > begin),
    )
  }
  return left
}

/** How many minutes of the intervals lie between two minutes; the intervals do not overlap each other. */
export const minutesWithin = (parts: readonly Interval[], from: number, to: number): number =>
  parts.reduce((sum, { begin, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(begin, from)), 0)

export const lengthOf = (parts: readonly Interval[]): number =>
  parts.reduce((sum, { begin, end }) => sum + end - begin, 0)

/** The parts of `whole` that some of `covers` covers, each minute once. */
export const intersect = (whole: readonly Interval[], covers: readonly Interval[]): Interval[] =>
  subtract(whole, subtract(whole, covers))
