import { expect, it } from 'vitest'
import { areOverlapping, isInWindows, type WeekWindow } from './week-window.ts'

const night: WeekWindow = { weekDays: ['friday', 'sunday'], begin: '22:00', end: '06:00' }

it('a window that ends before it begins goes over midnight, also from Sunday to Monday (ACS-2)', () => {
  // 2026-03-06 is a Friday.
  expect(isInWindows([night], '2026-03-06 21:59:59')).toBe(false)
  expect(isInWindows([night], '2026-03-06 22:00:00')).toBe(true)
  expect(isInWindows([night], '2026-03-07 05:59:59')).toBe(true)
  expect(isInWindows([night], '2026-03-07 06:00:00')).toBe(false)
  expect(isInWindows([night], '2026-03-07 23:00:00')).toBe(false)
  expect(isInWindows([night], '2026-03-09 03:00:00')).toBe(true)
})

it('without windows every time is in them; without days a window counts every day (ACS-2)', () => {
  expect(isInWindows([], '2026-03-06 03:00:00')).toBe(true)
  expect(isInWindows(undefined, '2026-03-06 03:00:00')).toBe(true)
  const daily = [{ begin: '08:00', end: '18:00' }]
  expect(isInWindows(daily, '2026-03-08 08:00:00')).toBe(true)
  expect(isInWindows(daily, '2026-03-08 18:00:00')).toBe(false)
  expect(isInWindows([{ begin: '00:00', end: '00:00' }], '2026-03-08 12:00:00')).toBe(true)
})

it('free times overlap where they share a minute of the week on the same days (ACS-7)', () => {
  const morning = { weekDays: ['saturday'], begin: '06:00', end: '09:00' } as const
  expect(areOverlapping(night, morning)).toBe(false)
  expect(areOverlapping(night, { ...morning, begin: '05:59' })).toBe(true)
  expect(areOverlapping(night, { weekDays: ['monday'], begin: '05:00', end: '07:00' })).toBe(true)
  const spring = { ...morning, begin: '05:00', from: '2026-03-01', to: '2026-03-31' } as const
  expect(areOverlapping({ ...night, from: '2026-03-31' }, spring)).toBe(true)
  expect(areOverlapping({ ...night, from: '2026-04-01' }, spring)).toBe(false)
})
