import { maxDay, weekday, type Day } from './day.ts'
import { dayOfMoment, timeOf, type Moment } from './moment.ts'

const weekDayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

export type WeekDayName = (typeof weekDayNames)[number]

/** Some days of the week from a time of day to another; every day where none is named. */
export interface WeekWindow {
  readonly weekDays?: readonly WeekDayName[] | undefined
  readonly begin: string
  readonly end: string
}

const minutesOfDay = 1440
const minutesOfWeek = 7 * minutesOfDay

/** From `from` up to but not including `to`, in minutes since Monday began. */
export interface Interval {
  readonly from: number
  readonly to: number
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

/** Of days by their numbers, 1 for Monday. An end that is not after the beginning is on the next day. */
export function intervalsOfDays(dayNumbers: readonly number[], begin: string, end: string): Interval[] {
  const from = minuteOf(begin)
  const length = ((minuteOf(end) - from + minutesOfDay - 1) % minutesOfDay) + 1
  return dayNumbers.flatMap(day => {
    const start = (day - 1) * minutesOfDay + from
    return withinWeek({ from: start, to: start + length })
  })
}

const intervalsOf = ({ weekDays, begin, end }: WeekWindow): Interval[] =>
  intervalsOfDays(
    (weekDays?.length ? weekDays : weekDayNames).map(day => weekDayNames.indexOf(day) + 1),
    begin,
    end,
  )

/** Minutes since Monday began. */
export const minuteOfWeek = (at: Moment): number =>
  (weekday(dayOfMoment(at)) - 1) * minutesOfDay + minuteOf(timeOf(at))

/** Whether a moment is in one of the windows; without any it always is (ACS-2). */
export const isInWindows = (windows: readonly WeekWindow[] | undefined, at: Moment): boolean =>
  !windows?.length ||
  windows.some(window =>
    intervalsOf(window).some(({ from, to }) => minuteOfWeek(at) >= from && minuteOfWeek(at) < to),
  )

/** Windows of the week that count between two days, both included. */
export interface DatedWindow extends WeekWindow {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/** The earliest day; days are compared as texts. */
const minDay = '0000-01-01'

const shareDays = (a: DatedWindow, b: DatedWindow): boolean =>
  (a.from ?? minDay) <= (b.to ?? maxDay) && (b.from ?? minDay) <= (a.to ?? maxDay)

/** Whether two of them share a minute of a day (ACS-7). */
export const areOverlapping = (a: DatedWindow, b: DatedWindow): boolean =>
  shareDays(a, b) &&
  intervalsOf(a).some(one => intervalsOf(b).some(other => one.from < other.to && other.from < one.to))

const labelOfDay = (day: WeekDayName): string => `周${'一二三四五六日'[weekDayNames.indexOf(day)] ?? ''}`

const windowText = ({ weekDays, begin, end }: WeekWindow): string => {
  const days = weekDays?.length && weekDays.length < 7 ? weekDays.map(labelOfDay).join('、') : '每天'
  return `${days} ${begin} ~ ${end <= begin ? '次日 ' : ''}${end}`
}

/** `周六、周日 22:00 ~ 次日 06:00；每天 08:00 ~ 18:00` */
export const windowsText = (windows: readonly WeekWindow[] | undefined): string =>
  windows?.length ? windows.map(windowText).join('；') : '全天'
