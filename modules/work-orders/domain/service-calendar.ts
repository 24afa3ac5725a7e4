import { addDays, type Day } from '#kit/domain/day.ts'
import { addSeconds, dayOfMoment, secondsBetween, type Moment } from '#kit/domain/moment.ts'

/** When the clocks of an order run (WO-2). An end at or before the begin is that of the next day. */
export interface ServiceHours {
  readonly is24h: boolean
  readonly workdaysOnly: boolean
  /** `08:00`; `24:00` is the end of a day. */
  readonly serviceBegin: string
  readonly serviceEnd: string
}

export interface ServiceCalendar {
  readonly hours: ServiceHours
  /** By the calendar of holidays, else Monday to Friday. */
  readonly isWorkday: (day: Day) => boolean
}

const daySeconds = 86_400
/** After two years without an hour of service there is none. */
const maxDays = 732

const secondOf = (timeOfDay: string): number =>
  Number(timeOfDay.slice(0, 2)) * 3600 + Number(timeOfDay.slice(3, 5)) * 60

const midnight = (day: Day): Moment => `${day} 00:00:00`

interface Window {
  readonly begin: Moment
  readonly end: Moment
}

/** The service of one day, which may last into the next; nothing on a day without. */
function windowOf({ hours, isWorkday }: ServiceCalendar, day: Day): Window | undefined {
  if (hours.workdaysOnly && !isWorkday(day)) return undefined
  const begin = hours.is24h ? 0 : secondOf(hours.serviceBegin)
  const stated = hours.is24h ? daySeconds : secondOf(hours.serviceEnd)
  const end = stated > begin ? stated : stated + daySeconds
  return { begin: addSeconds(midnight(day), begin), end: addSeconds(midnight(day), end) }
}

/** The windows that touch the time from a moment on, the first may have started the day before. */
function* windowsFrom(calendar: ServiceCalendar, from: Moment): Generator<Window> {
  const first = addDays(dayOfMoment(from), -1)
  // A window of the day before never reaches into its own successor: both are cut at its begin.
  let reached = from
  for (let i = 0; i <= maxDays; i++) {
    const window = windowOf(calendar, addDays(first, i))
    if (!window || window.end <= reached) continue
    const begin = window.begin > reached ? window.begin : reached
    reached = window.end
    yield { begin, end: window.end }
  }
}

/**
 * The moment at which so many seconds of service have passed. T-WO-01: 30 minutes from 17:40 with service
 * from 08:00 to 18:00 end at 08:10 of the next day. Nothing where no service comes within two years.
 */
export function addServiceSeconds(
  calendar: ServiceCalendar,
  from: Moment,
  seconds: number,
): Moment | undefined {
  if (seconds <= 0) return from
  let remaining = seconds
  for (const { begin, end } of windowsFrom(calendar, from)) {
    const length = secondsBetween(begin, end)
    if (remaining <= length) return addSeconds(begin, remaining)
    remaining -= length
  }
  return undefined
}

/** How much service lies between two moments; 0 where the second is not later. */
export function serviceSecondsBetween(calendar: ServiceCalendar, from: Moment, to: Moment): number {
  if (to <= from) return 0
  let total = 0
  for (const { begin, end } of windowsFrom(calendar, from)) {
    if (begin >= to) break
    total += secondsBetween(begin, end < to ? end : to)
  }
  return total
}

/** `周一至周五等工作日 08:00–18:00`, for people. */
export function describeService(hours: ServiceHours): string {
  const days = hours.workdaysOnly ? '工作日' : '每天'
  if (hours.is24h) return `${days} 24 小时`
  const isNextDay = secondOf(hours.serviceEnd) <= secondOf(hours.serviceBegin)
  return `${days} ${hours.serviceBegin}–${isNextDay ? '次日 ' : ''}${hours.serviceEnd}`
}
