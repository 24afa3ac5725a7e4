import type { Dayjs } from 'dayjs'
import { padDigits, toEpochDays, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'

/** `09:12` in Shanghai, whatever zone the computer is set to. */
const clockAt = (ms: number): string => fromInstant(ms).slice(11, 16)

/** A day in Shanghai, `2026-11-20`. */
export const today = (now = Date.now()): Day => dayOfMoment(fromInstant(now))

/** The day that a date picker holds. */
export const dayOfPicker = (date: Dayjs): Day =>
  `${padDigits(date.year(), 4)}-${padDigits(date.month() + 1)}-${padDigits(date.date())}`

/** The month that a month picker holds. */
export const monthOfPicker = (date: Dayjs): Month => monthOf(dayOfPicker(date))

/** `今天 10:38`, `昨天 17:52`, else `11-18 09:12` (another year: the whole day). */
export function formatRelative(ms: number, now = Date.now()): string {
  const day = today(ms)
  const time = clockAt(ms)
  if (day === today(now)) return `今天 ${time}`
  if (day === today(now - 86_400_000)) return `昨天 ${time}`
  return day.slice(0, 4) === today(now).slice(0, 4) ? `${day.slice(5)} ${time}` : day
}

/** Formats a moment from the wire, in Shanghai time. */
export const relativeText = (moment: string): string =>
  formatRelative(Date.parse(`${moment.replace(' ', 'T')}+08:00`))

/** `2026-11-20 周五`. */
export const todayWithWeekday = (now = Date.now()): string => {
  const day = today(now)
  // 1970-01-01 was a Thursday.
  return `${day} 周${'四五六日一二三'[toEpochDays(day) % 7]}`
}

/** Each until its hour. */
const greetings: readonly (readonly [untilHour: number, text: string])[] = [
  [5, '晚上好'],
  [11, '早上好'],
  [13, '中午好'],
  [18, '下午好'],
]

export const greeting = (now = Date.now()): string => {
  const hour = Number(clockAt(now).slice(0, 2))
  return greetings.find(([untilHour]) => hour < untilHour)?.[1] ?? '晚上好'
}

/** This minute in Shanghai, `2026-11-20 09:12`. */
export const currentMinute = (now = Date.now()): string => fromInstant(now).slice(0, 16)
