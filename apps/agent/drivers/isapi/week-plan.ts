import type { Interval } from '#kit/domain/week-window.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { DriverFailure } from '../driver.ts'

/** What a controller keeps of one day of the week. */
const maxSpansOfDay = 8
const minutesOfDay = 1440
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export const wholeWeek: readonly Interval[] = [{ from: 0, to: 7 * minutesOfDay }]

const two = (value: number): string => String(value).padStart(2, '0')
const clockOf = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`

interface DaySpan {
  readonly day: number
  readonly begin: string
  readonly end: string
}

const spansOf = ({ from, to }: Interval): DaySpan[] =>
  days.flatMap((_, day) => {
    const begin = Math.max(from, day * minutesOfDay)
    const end = Math.min(to, (day + 1) * minutesOfDay)
    const midnight = day * minutesOfDay
    return begin < end ? [{ day, begin: clockOf(begin - midnight), end: clockOf(end - midnight) }] : []
  })

/** Of every day eight spans, as the protocol has them: those that are not used are off. */
export function weekPlanOf(intervals: readonly Interval[], extra: JsonObject = {}): readonly JsonObject[] {
  const byDay = Map.groupBy(intervals.flatMap(spansOf), ({ day }) => day)
  if ([...byDay.values()].some(spans => spans.length > maxSpansOfDay))
    throw new DriverFailure(`设备一天最多 ${maxSpansOfDay} 个时间段，请合并门组的时间段`)
  return days.flatMap((week, day) =>
    Array.from({ length: maxSpansOfDay }, (_, i) => {
      const span = byDay.get(day)?.[i]
      return {
        week,
        id: i + 1,
        enable: span !== undefined,
        TimeSegment: { beginTime: span?.begin ?? '00:00:00', endTime: span?.end ?? '00:00:00' },
        ...extra,
      }
    }),
  )
}

const minuteOfClock = (clock: unknown): number =>
  Number(String(clock).slice(0, 2)) * 60 + Number(String(clock).slice(3, 5))

/** The reverse, as a controller reads its plan. */
export const intervalsOfPlan = (rows: readonly JsonObject[]): Interval[] =>
  rows.flatMap(({ week, enable, TimeSegment }) => {
    const day = days.findIndex(name => name === week)
    if (enable !== true || day < 0 || !isObject(TimeSegment)) return []
    const { beginTime, endTime } = TimeSegment
    const midnight = day * minutesOfDay
    return [{ from: midnight + minuteOfClock(beginTime), to: midnight + minuteOfClock(endTime) }]
  })
