import { expect, it } from 'vitest'
import { asMoment } from '#kit/domain/moment.ts'
import { readFrame } from './frame.ts'
import { readTime, samplesOf } from './readings.ts'

const now = asMoment('2026-11-21 10:00:00')

it('the offset of a slow clock corrects its times, until the clock has been set right', () => {
  const behind = 5 * 3600
  expect(readTime('2026-11-21T04:30:00+08:00', now)).toBe('2026-11-21 04:30:00')
  expect(readTime('2026-11-21T04:30:00+08:00', now, behind)).toBe('2026-11-21 09:30:00')
  expect(readTime('2026-11-21T09:50:00+08:00', now, behind)).toBe('2026-11-21 09:50:00')
  expect(readTime('2026-11-21T12:00:00+08:00', now)).toBe(now)
})

it('what is no time of ours is now', () => {
  for (const iso of [undefined, '', 'garbage', '9999-12-31T23:59:59Z', '-271821-04-20T00:00:00Z']) {
    expect(readTime(iso, now)).toBe(now)
  }
})

it('registers are read in the units of energy; what is no register is dropped', () => {
  const order = { meterStart: 1000, clockBehind: 0 }
  const read = (value: string, unit?: string) =>
    samplesOf(
      [{ timestamp: '2026-11-21T09:00:00+08:00', sampledValue: [{ value, ...(unit ? { unit } : {}) }] }],
      order,
      now,
    ).map(({ wattHours }) => wattHours)
  expect(read('1500')).toEqual([500])
  expect(read('1.5', 'kWh')).toEqual([500])
  for (const value of ['1e300', '9223372036854775807', 'NaN', '', ' ', 'abc']) {
    expect(read(value)).toEqual([])
  }
  expect(read('1500', 'varh')).toEqual([])
})

it('texts of a message have no U+0000', () => {
  expect(readFrame(JSON.stringify([2, 'm1', 'Authorize', { idTag: 'a\0b' }]))).toMatchObject({
    payload: { idTag: 'ab' },
  })
})
