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

/** By the server's clock; an instant that was still to come had come when it came in. */
function correctedInstant(instant: number, clockOffset: number, receivedAt: number): number {
  return Math.abs(clockOffset) > maxClockOffsetMs ? Math.min(instant - clockOffset, receivedAt) : instant
}

/**
 * Devices whose battery is empty say 1970, wrongly set ones 2099; neither is the time of anything. Where the
 * gateway's clock is known to be off (`clockOffset`: how far it is ahead), it is taken into account, and the
 * time is marked all the same.
 */
export function readEventTime(value: unknown, receivedAt: number, clockOffset = 0): EventTime {
  const text = typeof value === 'string' ? value : ''
  const instant = isoInstant.test(text) ? Date.parse(text) : Number.NaN
  const corrected = correctedInstant(instant, clockOffset, receivedAt)
  const isTime = corrected >= earliest && corrected <= receivedAt + maxAheadMs
  if (isTime && corrected === instant) return { at: new Date(instant).toISOString(), isTimeDoubtful: false }
  const deviceTime = text.slice(0, maxTextLength).toWellFormed()
  return {
    at: new Date(isTime ? corrected : receivedAt).toISOString(),
    isTimeDoubtful: true,
    ...(deviceTime === '' ? {} : { deviceTime }),
  }
}
