import { expect, it } from 'vitest'
import { readEventTime } from './event-time.ts'

const day = 86_400_000
const now = Date.parse('2026-11-28T12:00:00.000Z')
const iso = (ms: number): string => new Date(ms).toISOString()

it('the time of a site whose clock is right is taken as it is', () => {
  expect(readEventTime(iso(now - 40 * day), { receivedAt: now })).toEqual({
    at: iso(now - 40 * day),
    isTimeDoubtful: false,
  })
  expect(readEventTime(iso(now), { receivedAt: now, clockOffset: 299_000 })).toEqual({
    at: iso(now),
    isTimeDoubtful: false,
  })
})

it('that of a clock known to be off is corrected by as much, and marked, with what was sent', () => {
  for (const offset of [-3 * day, 20 * 3_600_000, 3 * day, -40 * day, -20_000 * day]) {
    const deviceTime = iso(now + offset - 1000)
    expect(readEventTime(deviceTime, { receivedAt: now, clockOffset: offset })).toEqual({
      at: iso(now - 1000),
      isTimeDoubtful: true,
      deviceTime,
    })
  }
})

it('what would have happened after it came in is of the time it came in', () => {
  const deviceTime = iso(now - 1000)
  expect(readEventTime(deviceTime, { receivedAt: now, clockOffset: -3 * day })).toEqual({
    at: iso(now),
    isTimeDoubtful: true,
    deviceTime,
  })
  expect(readEventTime('yesterday', { receivedAt: now, clockOffset: -3 * day })).toMatchObject({
    at: iso(now),
    isTimeDoubtful: true,
  })
})

it('a clock that was wrong when an event came in, and was set right since, is corrected by its age', () => {
  for (const offset of [-20_000 * day, -3 * day, 3 * day]) {
    const ageMs = 2 * day
    const deviceTime = iso(now - ageMs + offset)
    const arrival = { receivedAt: now, clockOffset: 0, ageMs, recordedAt: deviceTime }
    const corrected = { at: iso(now - ageMs), isTimeDoubtful: true, deviceTime }
    expect(readEventTime(deviceTime, arrival)).toEqual(corrected)
    // One that was right then, and is wrong now: nothing to correct.
    const right = { receivedAt: now, clockOffset: offset, ageMs, recordedAt: iso(now - ageMs) }
    expect(readEventTime(iso(now - ageMs), right)).toEqual({ at: iso(now - ageMs), isTimeDoubtful: false })
  }
})

it('what a device has kept for itself stays older than its arrival; an impossible time is that of the arrival', () => {
  const arrival = { receivedAt: now, ageMs: day, recordedAt: iso(now - day) }
  expect(readEventTime(iso(now - 5 * day), arrival)).toEqual({
    at: iso(now - 5 * day),
    isTimeDoubtful: false,
  })
  expect(readEventTime('1970-01-01T00:00:00Z', arrival)).toMatchObject({
    at: iso(now - day),
    isTimeDoubtful: true,
  })
})

it('an age that is none is not used', () => {
  for (const ageMs of [-1, Number.NaN, '5', 1e20, null]) {
    const arrival = { receivedAt: now, clockOffset: 0, ageMs, recordedAt: iso(now - 3 * day) }
    expect(readEventTime(iso(now), arrival)).toEqual({ at: iso(now), isTimeDoubtful: false })
  }
})
