import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, type Day } from './day.ts'
import {
  anniversaryPeriod,
  covers,
  daysOf,
  containsDay,
  intersect,
  monthsOf,
  overlaps,
  period,
  splitAt,
  splitByAnniversary,
  splitByMonth,
  subtract,
  union,
  yearAround,
  periodOfMonth,
  type Period,
} from './period.ts'

const anyDay = fc.integer({ min: 0, max: 1500 }).map(n => addDays('2023-01-01', n))
const anyPeriod = fc.tuple(anyDay, fc.nat(500)).map(([d, n]) => period(d, addDays(d, n)))

const days = (list: readonly Period[]): Day[] =>
  list.flatMap(p => Array.from({ length: daysOf(p) }, (_, i) => addDays(p.begin, i)))

it('counts both ends (G-5)', () => {
  expect(daysOf(period('2025-03-18', '2025-03-31'))).toBe(14)
  expect(daysOf(period('2025-03-18', '2025-03-18'))).toBe(1)
  expect(() => period('2025-03-18', '2025-03-17')).toThrow('结束日期 2025-03-17 不能早于开始日期 2025-03-18')
})

it('sets of days behave as sets', () => {
  fc.assert(
    fc.property(anyPeriod, anyPeriod, fc.array(anyPeriod, { maxLength: 4 }), (a, b, excluded) => {
      const inB = new Set(days([b]))
      expect(days([intersect(a, b)].filter(p => p !== undefined))).toEqual(days([a]).filter(d => inB.has(d)))
      expect(overlaps(a, b)).toBe(intersect(a, b) !== undefined)
      expect(covers(a, b)).toBe(days([b]).every(d => containsDay(a, d)))
      const taken = new Set(days(excluded))
      expect(days(subtract(a, ...excluded))).toEqual(days([a]).filter(d => !taken.has(d)))
      expect(days(union(excluded))).toEqual([...taken].toSorted())
    }),
  )
  const [one, two, three] = [
    period('2025-01-01', '2025-01-10'),
    period('2025-01-10', '2025-01-20'),
    period('2025-01-22', '2025-01-31'),
  ]
  expect([overlaps(one, two), overlaps(two, one), overlaps(two, three)]).toEqual([true, true, false])
  expect(union([one, two, three])).toEqual([period('2025-01-01', '2025-01-20'), three])
  expect(union([periodOfMonth('2025-02'), periodOfMonth('2025-01')])).toEqual([
    period('2025-01-01', '2025-02-28'),
  ])
})

it('splits cover the period, once and in order', () => {
  fc.assert(
    fc.property(anyPeriod, anyDay, fc.array(anyDay, { maxLength: 5 }), (p, anchor, cuts) => {
      for (const pieces of [splitByMonth(p), splitByAnniversary(p, anchor)]) {
        expect(days(pieces)).toEqual(days([p]))
        for (const piece of pieces) {
          expect([piece.days === daysOf(piece), piece.days <= piece.daysInMonth]).toEqual([true, true])
        }
        for (const inner of pieces.slice(1, -1)) {
          expect(inner.days).toBe(inner.daysInMonth)
        }
      }
      expect(days(splitAt(p, cuts))).toEqual(days([p]))
      expect(splitByMonth(p).map(x => x.month)).toEqual(monthsOf(p))
      for (const cut of cuts) {
        if (containsDay(p, cut)) {
          expect(splitAt(p, cuts).some(x => x.begin === cut)).toBe(true)
        }
      }
    }),
  )
})

it('cuts the worked periods (T-PRO-02, T-PRO-07, PRO-2)', () => {
  expect(splitByMonth(period('2025-03-18', '2025-06-30')).map(p => [p.month, p.days, p.daysInMonth])).toEqual(
    [
      ['2025-03', 14, 31],
      ['2025-04', 30, 30],
      ['2025-05', 31, 31],
      ['2025-06', 30, 30],
    ],
  )
  expect(splitAt(periodOfMonth('2025-04'), ['2025-04-11', '2025-05-01', '2025-04-01']).map(daysOf)).toEqual([
    10, 20,
  ])
  expect(
    splitByAnniversary(period('2025-02-28', '2025-04-10'), '2025-01-31').map(p => [
      p.begin,
      p.days,
      p.daysInMonth,
    ]),
  ).toEqual([
    ['2025-02-28', 31, 31],
    ['2025-03-31', 11, 30],
  ])
})

it('anniversaries do not drift (CYC-6, T-CYC-01, T-CYC-03)', () => {
  expect([0, 1, 2, 3, 4].map(n => anniversaryPeriod('2025-01-31', 1, n))).toEqual([
    period('2025-01-31', '2025-02-27'),
    period('2025-02-28', '2025-03-30'),
    period('2025-03-31', '2025-04-29'),
    period('2025-04-30', '2025-05-30'),
    period('2025-05-31', '2025-06-29'),
  ])
  expect([0, 1].map(n => anniversaryPeriod('2025-08-15', 1, n))).toEqual([
    period('2025-08-15', '2025-09-14'),
    period('2025-09-15', '2025-10-14'),
  ])
  fc.assert(
    fc.property(anyDay, fc.constantFrom(1, 2, 3, 4, 6, 12), fc.nat(60), (anchor, months, n) => {
      expect(anniversaryPeriod(anchor, months, n + 1).begin).toBe(
        addDays(anniversaryPeriod(anchor, months, n).end, 1),
      )
    }),
  )
})

it('the year around a day begins on the given day and month, by default on 1 January', () => {
  expect([
    yearAround('2025-03-05'),
    yearAround('2025-03-05', '07-01'),
    yearAround('2025-07-01', '07-01'),
    yearAround('2025-02-28', '02-29'),
    yearAround('2024-02-28', '02-29'),
  ]).toEqual([
    { begin: '2025-01-01', end: '2025-12-31' },
    { begin: '2024-07-01', end: '2025-06-30' },
    { begin: '2025-07-01', end: '2026-06-30' },
    { begin: '2025-02-28', end: '2026-02-27' },
    { begin: '2023-02-28', end: '2024-02-28' },
  ])
})
