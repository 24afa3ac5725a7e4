import { addDays, isDay, type Day } from '#kit/domain/day.ts'
import { dayOfInstant, fromInstant } from '#kit/domain/moment.ts'
import { intervalsOfDays, minuteOfWeek, type Interval } from '#kit/domain/week-window.ts'
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

/** Days through which the same rights count; without `intervals` at any time. */
export interface Segment {
  readonly begin: Day
  readonly end: Day
  readonly intervals?: readonly Interval[]
}

/** What controllers take for the first and the last day. */
export const firstDay: Day = '2000-01-01'
export const lastDay: Day = '2037-12-31'

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

/** The union, in order and without overlaps. */
export function unionOf(windows: readonly Window[]): Interval[] {
  const merged: Interval[] = []
  const all = windows.flatMap(({ weekDays, begin, end }) => intervalsOfDays(weekDays, begin, end))
  for (const next of all.toSorted((a, b) => a.from - b.from)) {
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

/** Whether one of them counts at this moment. */
export function countsAt(rights: readonly Right[], ms: number): boolean {
  const today = dayOfInstant(ms)
  const segment = segmentOn(rights, today)
  if (!segment || segment.begin > today || segment.end < today) return false
  const minute = minuteOfWeek(fromInstant(ms))
  return segment.intervals?.some(({ from, to }) => minute >= from && minute < to) ?? true
}
