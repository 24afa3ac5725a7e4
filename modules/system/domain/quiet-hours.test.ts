import type { Moment } from '#kit/domain/moment.ts'
import { expect, it } from 'vitest'
import { calculateRingTime } from './quiet-hours.ts'

it.each<[now: Moment, from: string, to: string, then: Moment]>([
  ['2026-11-21 21:59:59', '22:00', '07:00', '2026-11-21 21:59:59'],
  ['2026-11-21 22:00:00', '22:00', '07:00', '2026-11-22 07:00:00'],
  ['2026-11-22 06:59:59', '22:00', '07:00', '2026-11-22 07:00:00'],
  ['2026-11-22 07:00:00', '22:00', '07:00', '2026-11-22 07:00:00'],
  ['2026-12-31 23:30:00', '23:00', '01:00', '2027-01-01 01:00:00'],
  ['2026-11-21 12:30:00', '12:00', '13:30', '2026-11-21 13:30:00'],
  ['2026-11-21 13:30:00', '12:00', '13:30', '2026-11-21 13:30:00'],
  ['2026-11-21 12:30:00', '12:00', '12:00', '2026-11-21 12:30:00'],
])('at %s, quiet from %s to %s, the bell rings at %s', (now, from, to, then) =>
  expect(calculateRingTime(now, { from, to })).toBe(then),
)

it('without quiet hours it rings at once', () =>
  expect(calculateRingTime('2026-11-21 03:00:00', undefined)).toBe('2026-11-21 03:00:00'))
