import { addDays, isDay, weekday, type Day } from '#kit/domain/day.ts'
import { dayOfInstant, dayOfMoment, fromInstant, timeOf } from '#kit/domain/moment.ts'
import { isObject } from '../../json.ts'

/** One right of a credential, as the server sends it: days, both included, and windows of the week. */
export interface Right {
  readonly from?: Day
  readonly until?: Day
  readonly windows?: readonly Window[]
}

export interface Window {
  /** 1: Monday; every day where none is named. */
  readonly weekDays: readonly number[]
  readonly begin: string
  readonly end: string
}

/** From `from` up to but not including `to`, in minutes since Monday began. */
export interface Interval {
  readonly from: number
  readonly to: number
}

/** Days through which the same rights count; without `intervals` at any time. */
export interface Segment {
  readonly begin: Day
  readonly end: Day
  readonly intervals?: readonly Interval[]
}

/** What controllers take for the first and the last day. */
export const firstDay: Day = '2000-01-01'
export const lastDay: Day = '2037-12-31'

const minutesOfDay = 1440
const minutesOfWeek = 7 * minutesOfDay
const everyDay = [1, 2, 3, 4, 5, 6, 7]
const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const dayNumberOf = (value: unknown): number => dayNames.indexOf(String(value)) + 1 || Number(value)
const dayOf = (value: unknown): Day | undefined => {
  const text = String(value ?? '').slice(0, 10)
  return isDay(text) ? text : undefined
}

export function readWindow(value: unknown): Window {
  const { weekDays, begin, end } = isObject(value) ? value : {}
  return {
    weekDays: Array.isArray(weekDays) && weekDays.length ? weekDays.map(dayNumberOf) : everyDay,
    begin: String(begin ?? '00:00'),
    end: String(end ?? '00:00'),
  }
}

export function readRight(value: unknown): Right {
  const { from, until, windows } = isObject(value) ? value : {}
  const [first, last] = [dayOf(from), dayOf(until)]
  return {
    ...(first !== undefined && { from: first }),
    ...(last !== undefined && { until: last }),
    ...(Array.isArray(windows) && windows.length && { windows: windows.map(readWindow) }),
  }
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** What goes over the end of Sunday begins again on Monday. */
const withinWeek = ({ from, to }: Interval): Interval[] =>
  to <= minutesOfWeek
    ? [{ from, to }]
    : [
        { from, to: minutesOfWeek },
        { from: 0, to: to - minutesOfWeek },
      ]

/** An end that is not after the beginning is on the next day. */
function intervalsOf({ weekDays, begin, end }: Window): Interval[] {
  const from = minuteOf(begin)
  const length = ((minuteOf(end) - from + minutesOfDay - 1) % minutesOfDay) + 1
  return weekDays.flatMap(day => {
    const start = (day - 1) * minutesOfDay + from
    return withinWeek({ from: start, to: start + length })
  })
}

/** The union, in order and without overlaps. */
export function unionOf(windows: readonly Window[]): Interval[] {
  const merged: Interval[] = []
  for (const next of windows.flatMap(intervalsOf).toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && next.from <= last.to) {
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, next.to) }
    } else {
      merged.push(next)
    }
  }
  return merged
}

const earliest = (days: readonly Day[]): Day | undefined => days.toSorted().at(0)

/**
 * A controller keeps one pair of days and one plan of the week for each person. What it gets is exact from
 * `today` to the last day on which the same rights count, and nothing after that: a controller that is away
 * then opens too little, never too much. Nothing where no right is left.
 */
export function segmentOn(rights: readonly Right[], today: Day): Segment | undefined {
  const left = rights.filter(({ until = lastDay }) => until >= today)
  const isOn = (day: Day) => (right: Right) => (right.from ?? firstDay) <= day
  const start = left.some(isOn(today)) ? today : earliest(left.map(({ from = firstDay }) => from))
  if (start === undefined) return undefined
  const counting = left.filter(isOn(start)).filter(({ until = lastDay }) => until >= start)
  const next = earliest(left.map(({ from = firstDay }) => from).filter(from => from > start))
  const ends = counting.map(({ until = lastDay }) => until)
  const end = earliest([...ends, lastDay, ...(next === undefined ? [] : [addDays(next, -1)])]) ?? lastDay
  const begin =
    counting
      .map(({ from = firstDay }) => from)
      .toSorted()
      .at(-1) ?? start
  const isAlways = counting.some(({ windows }) => !windows?.length)
  return {
    begin,
    end,
    ...(!isAlways && { intervals: unionOf(counting.flatMap(({ windows = [] }) => windows)) }),
  }
}

/** Minutes since Monday began, in the time of the site. */
export function minuteOfWeek(ms: number): number {
  const moment = fromInstant(ms)
  return (weekday(dayOfMoment(moment)) - 1) * minutesOfDay + minuteOf(timeOf(moment))
}

/** Whether one of them counts at this moment. */
export function countsAt(rights: readonly Right[], ms: number): boolean {
  const today = dayOfInstant(ms)
  const segment = segmentOn(rights, today)
  if (!segment || segment.begin > today || segment.end < today) return false
  const minute = minuteOfWeek(ms)
  return segment.intervals?.some(({ from, to }) => minute >= from && minute < to) ?? true
}
