import { expect, it } from 'vitest'
import { readEventTime } from './event-time.ts'

const day = 86_400_000
const now = Date.parse('2026-11-28T12:00:00.000Z')
const iso = (ms: number): string => new Date(ms).toISOString()

it('the time of a site whose clock is right is taken as it is', () => {
  expect(readEventTime(iso(now - 40 * day), now)).toEqual({ at: iso(now - 40 * day), isTimeDoubtful: false })
  expect(readEventTime(iso(now), now, 299_000)).toEqual({ at: iso(now), isTimeDoubtful: false })
})

it('that of a clock known to be off is corrected by as much, and marked, with what was sent', () => {
  for (const offset of [-3 * day, 20 * 3_600_000, 3 * day, -40 * day, -20_000 * day]) {
    const deviceTime = iso(now + offset - 1000)
    expect(readEventTime(deviceTime, now, offset)).toEqual({
      at: iso(now - 1000),
      isTimeDoubtful: true,
      deviceTime,
    })
  }
})

it('what would have happened after it came in is of the time it came in', () => {
  const deviceTime = iso(now - 1000)
  expect(readEventTime(deviceTime, now, -3 * day)).toEqual({ at: iso(now), isTimeDoubtful: true, deviceTime })
  expect(readEventTime('yesterday', now, -3 * day)).toMatchObject({ at: iso(now), isTimeDoubtful: true })
})
