import { defined } from './defined.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addDays,
  addMonths,
  addMonthsFrom,
  compareDays,
  dayOf,
  dayFromExcelSerial,
  daysBetween,
  daysInMonth,
  earliest,
  firstOfMonth,
  isDay,
  lastOfMonth,
  latest,
  monthsSince,
  readDay,
  excelSerialOf,
  weekday,
  weekdayName,
} from './day.ts'
import {
  daysIn,
  firstDay,
  isMonth,
  lastDay,
  monthOf,
  monthsBetween,
  monthsFrom,
  readMonth,
  shiftMonth,
} from './month.ts'

const anyDay = fc.integer({ min: -300_000, max: 900_000 }).map(n => addDays('1970-01-01', n))

it('knows which days exist', () => {
  expect(['2024-02-29', '2000-02-29', '9999-12-31', '0001-01-01'].map(isDay)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(
    [
      '2025-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
      '2026-1-5',
      '2026-01-05 ',
      '0000-01-01',
      '',
      '2026/01/05',
    ].map(isDay),
  ).toEqual(Array(10).fill(false))
  expect(dayOf(2026, 1, 5)).toBe('2026-01-05')
  expect(() => dayOf(2026, 2, 30)).toThrow('2026年2月30日 不存在')
})

it('reads what people type', () => {
  const same = [
    '2026-01-05',
    '2026-1-5',
    '2026/1/5',
    '2026.1.5',
    '2026年1月5日',
    '2026年01月05号',
    '2026年1月5',
    '20260105',
    ' 2026/01/05 ',
    '２０２６／１／５',
    '2026/1/5 0:00',
    '2026-01-05 08:30:00',
    '2026-01-05T00:00:00',
  ]
  expect(same.map(readDay)).toEqual(same.map(() => '2026-01-05'))
  const wrong = [
    '2026/2/30',
    '2026-1/5',
    '260105',
    '2026-1',
    '1/5/2026',
    '20261305',
    '0202-01-05',
    '2026-01-05T16:00:00Z',
    '2026-01-05T00:00:00+08:00',
    '',
    'abc',
    '46027',
    '9'.repeat(1000),
  ]
  expect(wrong.map(readDay)).toEqual(wrong.map(() => undefined))
})

it('agrees with the platform about every day', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -40_000, max: 40_000 }), (d, n) => {
      const at = new Date(`${d}T00:00:00Z`)
      expect(isDay(d)).toBe(true)
      expect(addDays(d, n)).toBe(new Date(at.valueOf() + n * 86_400_000).toISOString().slice(0, 10))
      expect(daysBetween(d, addDays(d, n))).toBe(n)
      expect(weekday(d) % 7).toBe(at.getUTCDay())
      expect(daysInMonth(d)).toBe(
        new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate(),
      )
      expect(readDay(d.replaceAll('-', '/'))).toBe(d >= '1900' ? d : undefined)
    }),
    { numRuns: 2000 },
  )
})

it('adds months from the anchor without drift (CYC-6, T-CYC-01)', () => {
  expect([0, 1, 2, 3, 4].map(n => addMonthsFrom('2025-01-31', n))).toEqual([
    '2025-01-31',
    '2025-02-28',
    '2025-03-31',
    '2025-04-30',
    '2025-05-31',
  ])
  expect([
    addMonths('2024-02-29', 12),
    addMonths('2024-02-29', 48),
    addMonths('2026-03-31', -1),
    addMonths('2026-01-15', -13),
  ]).toEqual(['2025-02-28', '2028-02-29', '2026-02-28', '2024-12-15'])
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -2000, max: 2000 }), (anchor, n) => {
      const d = addMonthsFrom(anchor, n)
      expect(monthsBetween(monthOf(anchor), monthOf(d))).toBe(n)
      expect(d.slice(8)).toBe(
        Number(anchor.slice(8)) > daysInMonth(d) ? String(daysInMonth(d)) : anchor.slice(8),
      )
      expect(monthsSince(anchor, d)).toBe(n)
      expect(monthsSince(anchor, addDays(d, -1))).toBe(n - 1)
    }),
  )
})

it('counts overdue days as the late fee does (LATE-2)', () => {
  expect([
    daysBetween('2025-03-31', '2025-04-10'),
    daysBetween('2025-03-31', '2025-03-31'),
    daysBetween('2025-01-31', '2025-03-02'),
  ]).toEqual([10, 0, 30])
})

it('finds borders and weekdays', () => {
  expect([
    firstOfMonth('2024-02-10'),
    lastOfMonth('2024-02-10'),
    weekdayName('2026-11-21'),
    weekday('2026-11-22'),
    weekdayName('2026-11-23'),
  ]).toEqual(['2024-02-01', '2024-02-29', '周六', 7, '周一'])
  expect([
    earliest('2026-02-01', '2026-01-31'),
    latest('2026-02-01', '2026-01-31', '2027-01-01'),
    compareDays('2026-02-01', '2026-10-01'),
  ]).toEqual(['2026-01-31', '2027-01-01', -1])
  expect(() => addDays('9999-12-31', 1)).toThrow(RangeError)
})

it('reads Excel day numbers, with the day Excel invented', () => {
  expect([1, 59, 60, 61, 46027, 46027.75, 0, -1, NaN, 2_958_466].map(dayFromExcelSerial)).toEqual([
    '1900-01-01',
    '1900-02-28',
    undefined,
    '1900-03-01',
    '2026-01-05',
    '2026-01-05',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(excelSerialOf('1899-12-31')).toBeUndefined()
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_958_465 }).filter(n => n !== 60),
      n => {
        expect(excelSerialOf(defined(dayFromExcelSerial(n)))).toBe(n)
      },
    ),
  )
})

it('computes with months', () => {
  expect(
    ['2026-02', '2026/2', '2026.02', '2026年2月', '202602', '2026-02-14', ' 2026-2 '].map(readMonth),
  ).toEqual(Array(7).fill('2026-02'))
  expect(['2026-13', '2026', '26-02', '', '2026-0', '20261'].map(readMonth)).toEqual(Array(6).fill(undefined))
  expect([isMonth('2026-12'), isMonth('2026-13'), isMonth('0000-01'), isMonth('2026-1')]).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect([
    shiftMonth('2026-01', -1),
    shiftMonth('2026-12', 1),
    shiftMonth('2026-05', 120),
    monthsBetween('2025-11', '2026-02'),
  ]).toEqual(['2025-12', '2027-01', '2036-05', 3])
  expect([daysIn('2024-02'), firstDay('2024-02'), lastDay('2024-02')]).toEqual([
    29,
    '2024-02-01',
    '2024-02-29',
  ])
  expect(monthsFrom('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
  expect(monthsFrom('2026-02', '2026-01')).toEqual([])
})
