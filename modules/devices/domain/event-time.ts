import { maxClockOffsetMs } from './health.ts'

/** When an event happened, as far as the site's clock can be believed. */
export interface EventTime {
  /** ISO instant. */
  readonly at: string
  /** The clock on site is wrong: `at` is corrected by what is known of it, or when the event came in. */
  readonly isTimeDoubtful: boolean
  /** What the device sent instead, where it sent anything. */
  readonly deviceTime?: string
}

const earliest = Date.parse('2000-01-01T00:00:00+08:00')
const maxAheadMs = 86_400_000
const maxTextLength = 40
/** Without its zone a text is no instant; `Date.parse` takes many that are none. */
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)$/

/** What is known of the moment when an event came in, on site and here. */
export interface Arrival {
  /** By the server's clock. */
  readonly receivedAt: number
  /** How far the gateway's clock is ahead, by what it sent last. */
  readonly clockOffset?: number | undefined
  /** How long before it had come in on site, by a clock that nobody sets. */
  readonly ageMs?: unknown
  /** What the gateway's clock was then. */
  readonly recordedAt?: unknown
}

interface KnownArrival {
  readonly recordedMs: number
  readonly clockOffset: number
}

const instantOf = (text: string): number => (isoInstant.test(text) ? Date.parse(text) : Number.NaN)

/**
 * Its clock may have been set since: how wrong it was then is known from how long ago that is. Where the
 * gateway cannot tell, it is as wrong as it is now.
 */
function knownArrival({ receivedAt, clockOffset = 0, ageMs, recordedAt }: Arrival): KnownArrival {
  const siteClock = typeof recordedAt === 'string' ? instantOf(recordedAt) : Number.NaN
  const isKnown = typeof ageMs === 'number' && ageMs >= 0 && ageMs < receivedAt && !Number.isNaN(siteClock)
  if (!isKnown) return { recordedMs: receivedAt, clockOffset }
  const recordedMs = receivedAt - ageMs
  return { recordedMs, clockOffset: siteClock - recordedMs }
}

/** By the server's clock; an instant that was still to come had come when it came in. */
const correctedInstant = (instant: number, { clockOffset, recordedMs }: KnownArrival): number =>
  Math.abs(clockOffset) > maxClockOffsetMs ? Math.min(instant - clockOffset, recordedMs) : instant

/**
 * Devices whose battery is empty say 1970, wrongly set ones 2099; neither is the time of anything. Where the
 * gateway's clock is known to have been off, it is taken into account, and the time is marked all the same.
 */
export function readEventTime(value: unknown, arrival: Arrival): EventTime {
  const text = typeof value === 'string' ? value : ''
  const known = knownArrival(arrival)
  const instant = instantOf(text)
  const corrected = correctedInstant(instant, known)
  const isTime = corrected >= earliest && corrected <= arrival.receivedAt + maxAheadMs
  if (isTime && corrected === instant) return { at: new Date(instant).toISOString(), isTimeDoubtful: false }
  const deviceTime = text.slice(0, maxTextLength).toWellFormed()
  return {
    at: new Date(isTime ? corrected : known.recordedMs).toISOString(),
    isTimeDoubtful: true,
    ...(deviceTime === '' ? {} : { deviceTime }),
  }
}
