import { defined } from '#kit/domain/defined.ts'
import {
  addDays,
  padDigits,
  fromEpochDays,
  toEpochDays,
  dayFromExcelSerial,
  excelSerialOf,
  isDay,
  readDay,
  type Day,
} from './day.ts'

/**
 * Wall time in Shanghai, `2026-02-28 09:12:00`; moments compare as texts (G-4). Shanghai is taken as UTC+8
 * throughout. Its summer times of 1986–1991 and earlier offsets are left out on purpose: moments record what
 * this system saw happen, days (births, deliveries) have no hour to shift.
 */
export type Moment = `${Day} ${number}:${number}:${number}`

const offsetMs = 8 * 3600_000
const dayMs = 86_400_000
const clockPattern = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/

/** Exactly `yyyy-MM-dd HH:mm:ss`, and such a second exists. */
export const isMoment = (text: string): text is Moment =>
  text[10] === ' ' && isDay(text.slice(0, 10)) && clockPattern.test(text.slice(11))

/** A text that must be a moment. Throws RangeError when it is none. */
export function asMoment(text: string): Moment {
  if (!isMoment(text)) throw new RangeError(`不是时间：${text}`)
  return text
}

/**
 * Milliseconds since 1970 UTC → Shanghai wall time, milliseconds left away. Throws RangeError outside the
 * years 0001 to 9999.
 */
export function fromInstant(ms: number): Moment {
  const local = Math.floor((ms + offsetMs) / 1000)
  const day = Math.floor(local / 86_400)
  const second = local - day * 86_400
  return `${fromEpochDays(day)} ${padDigits(Math.floor(second / 3600))}:${padDigits(Math.floor(second / 60) % 60)}:${padDigits(second % 60)}`
}

const secondOfDay = (m: Moment): number =>
  Number(m.slice(11, 13)) * 3600 + Number(m.slice(14, 16)) * 60 + Number(m.slice(17, 19))

/** Shanghai wall time → milliseconds since 1970 UTC. */
export const toInstant = (m: Moment): number =>
  toEpochDays(dayOfMoment(m)) * dayMs + secondOfDay(m) * 1000 - offsetMs

/**
 * What people and programs write: any form `readDay` knows, then nothing (midnight), `9:05` or `09:05:30`;
 * also an ISO instant with Z or an offset, which is brought to Shanghai. Nothing when there is no such
 * second.
 */
export function readMoment(text: string): Moment | undefined {
  if (text.length > 60) return undefined
  const plain = text
    .trim()
    .replaceAll('：', ':')
    .replace(/([日号])(?=\d)/, '$1 ')
  const match = /^(.*?)(?:(?:\s+|T)(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(
    plain,
  )
  const day = match && readDay(defined(match[1]))
  if (!day || (match[5] && !match[2])) return undefined
  const localTime = `${day} ${(match[2] ?? '00').padStart(2, '0')}:${match[3] ?? '00'}:${match[4] ?? '00'}`
  if (!isMoment(localTime)) return undefined
  if (!match[5]) return localTime
  const zone = match[5] === 'Z' ? '+0000' : match[5].replace(':', '')
  const offset = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * 60_000 * (zone[0] === '-' ? -1 : 1)
  return fromInstant(toInstant(localTime) + offsetMs - offset)
}

/** Excel's day number with its fraction of a day, to the nearest second. Nothing where Excel has no day. */
export function momentFromExcelSerial(serial: number): Moment | undefined {
  const seconds = Math.round((serial - Math.floor(serial)) * 86_400)
  const day = dayFromExcelSerial(Math.floor(serial))
  if (!day) return undefined
  return fromInstant(toEpochDays(day) * dayMs + seconds * 1000 - offsetMs)
}

/** Excel's day number with its fraction of a day; nothing before 1900-01-01. */
export function excelSerialOfMoment(m: Moment): number | undefined {
  const day = excelSerialOf(dayOfMoment(m))
  const [hours = 0, minutes = 0, seconds = 0] = timeOf(m).split(':').map(Number)
  return day === undefined ? undefined : day + (hours * 3600 + minutes * 60 + seconds) / 86_400
}

/** The Shanghai day of an instant: what "today" is, given the clock's milliseconds. */
export const dayOfInstant = (ms: number): Day => dayOfMoment(fromInstant(ms))
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a moment begins with its day
export const dayOfMoment = (m: Moment): Day => m.slice(0, 10) as Day

/** `HH:mm:ss`. */
export const timeOf = (m: Moment): string => m.slice(11)
/** A day at a clock time, `HH:mm`. Throws RangeError when there is no such time. */
export const momentAt = (d: Day, clock: string): Moment => asMoment(`${d} ${clock}:00`)
export const startOfDay = (d: Day): Moment => `${d} 00:00:00`
export const endOfDay = (d: Day): Moment => `${d} 23:59:59`

/** Wall seconds, over midnights and month ends. */
export const addSeconds = (m: Moment, n: number): Moment => fromInstant(toInstant(m) + n * 1000)
export const addMinutes = (m: Moment, n: number): Moment => addSeconds(m, n * 60)

/** The same time of day, n days on. */
export const addDaysToMoment = (m: Moment, n: number): Moment =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the time comes from a moment
  `${addDays(dayOfMoment(m), n)} ${timeOf(m)}` as Moment

/** to − from, in seconds. */
export const secondsBetween = (from: Moment, to: Moment): number => (toInstant(to) - toInstant(from)) / 1000
