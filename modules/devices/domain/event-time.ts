/** When an event happened, as far as the site's clock can be believed. */
export interface EventTime {
  /** ISO instant. */
  readonly at: string
  /** The clock of the device is not set: `at` is when the event came in. */
  readonly isTimeDoubtful: boolean
  /** What the device sent instead, where it sent anything. */
  readonly deviceTime?: string
}

const earliest = Date.parse('2000-01-01T00:00:00+08:00')
const maxAheadMs = 86_400_000
const maxTextLength = 40
/** Without its zone a text is no instant; `Date.parse` takes many that are none. */
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)$/

/** Devices whose battery is empty say 1970, wrongly set ones 2099; neither is the time of anything. */
export function readEventTime(value: unknown, receivedAt: number): EventTime {
  const text = typeof value === 'string' ? value : ''
  const instant = isoInstant.test(text) ? Date.parse(text) : Number.NaN
  if (instant >= earliest && instant <= receivedAt + maxAheadMs)
    return { at: new Date(instant).toISOString(), isTimeDoubtful: false }
  const deviceTime = text.slice(0, maxTextLength).toWellFormed()
  return {
    at: new Date(receivedAt).toISOString(),
    isTimeDoubtful: true,
    ...(deviceTime === '' ? {} : { deviceTime }),
  }
}
