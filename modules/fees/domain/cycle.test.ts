import { defined } from '#kit/domain/defined.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, addMonthsFrom, fromEpochDays, type Day } from '#kit/domain/day.ts'
import { nextPeriod, nextPeriods, type Cycle } from './cycle.ts'
import { chargingEnd, chargingStart, dueDate, generationDay, resumeBilledTo } from './charging.ts'

const monthlyCycle: Cycle = { type: 'natural', months: 1, alignYear: false }

const formatPeriods = (c: Cycle, start: Day, count: number, billedTo?: Day, end?: Day): string[] =>
  nextPeriods(c, { start, ...(end ? { end } : {}) }, billedTo, count).map(
    p => `${p.begin.slice(5)}…${p.end.slice(5)}`,
  )

it('T-CYC-01 an anchor on the 31st comes back to it', () => {
  expect(formatPeriods({ ...monthlyCycle, type: 'anniversary' }, '2025-01-31', 5)).toEqual([
    '01-31…02-27',
    '02-28…03-30',
    '03-31…04-29',
    '04-30…05-30',
    '05-31…06-29',
  ])
})

it('T-CYC-03 an anniversary in mid-month', () => {
  expect(formatPeriods({ ...monthlyCycle, type: 'anniversary' }, '2025-08-15', 2)).toEqual([
    '08-15…09-14',
    '09-15…10-14',
  ])
})

it('CYC-1 every length of cycle, ahead and behind: so many periods by a month', () => {
  const listPeriods = (months: Cycle['months'], mode: 'ahead' | 'behind', until: string) =>
    nextPeriods({ type: 'natural', months, alignYear: true }, { start: '2025-01-01' }, undefined, 40).filter(
      p => generationDay({ mode, advanceDays: 0, delayDays: 0 }, p) <= until,
    ).length
  // On 2025-12-31: ahead every block started is billed, behind every block ended before that day.
  expect(
    ([1, 2, 3, 4, 6, 12] as const).map(k => [
      listPeriods(k, 'ahead', '2025-12-31'),
      listPeriods(k, 'behind', '2025-12-31'),
      listPeriods(k, 'behind', '2026-01-01'),
    ]),
  ).toEqual([
    [12, 11, 12],
    [6, 5, 6],
    [4, 3, 4],
    [3, 2, 3],
    [2, 1, 2],
    [1, 0, 1],
  ])
})

it('CYC-5, T-CYC-04 quarters of the year, the first one short', () => {
  expect(formatPeriods({ type: 'natural', months: 3, alignYear: true }, '2025-05-20', 2)).toEqual([
    '05-20…06-30',
    '07-01…09-30',
  ])
  expect(formatPeriods({ type: 'natural', months: 3, alignYear: false }, '2025-05-20', 2)).toEqual([
    '05-20…07-31',
    '08-01…10-31',
  ])
  expect(formatPeriods({ type: 'natural', months: 12, alignYear: true }, '2025-05-20', 2)).toEqual([
    '05-20…12-31',
    '01-01…12-31',
  ])
  expect(formatPeriods({ type: 'natural', months: 4, alignYear: true }, '2025-05-20', 1)).toEqual([
    '05-20…08-31',
  ])
})

it('CYC-3, CYC-4 goes on from BilledTo, ends inclusively, bills a one-off once', () => {
  expect(formatPeriods(monthlyCycle, '2025-01-10', 9, '2025-03-31', '2025-05-15')).toEqual([
    '04-01…04-30',
    '05-01…05-15',
  ])
  expect(formatPeriods(monthlyCycle, '2025-01-10', 9, '2025-05-15', '2025-05-15')).toEqual([])
  expect(formatPeriods(monthlyCycle, '2025-06-01', 1, '2025-03-31')).toEqual(['06-01…06-30'])
  const once: Cycle = { ...monthlyCycle, type: 'once' }
  expect([
    formatPeriods(once, '2025-01-10', 9),
    formatPeriods(once, '2025-01-10', 9, undefined, '2025-02-03'),
    formatPeriods(once, '2025-01-10', 9, '2025-01-10'),
  ]).toEqual([['01-10…01-10'], ['01-10…02-03'], []])
  // A resumed anniversary keeps its anchor: the rest of the running month, then whole ones.
  expect(formatPeriods({ ...monthlyCycle, type: 'anniversary' }, '2025-01-10', 2, '2025-06-14')).toEqual([
    '06-15…07-09',
    '07-10…08-09',
  ])
})

const day = fc.integer({ min: 0, max: 40_000 }).map(fromEpochDays)
const months = fc.constantFrom<Cycle['months'][]>(1, 2, 3, 4, 6, 12)

it('periods follow each other without gap or overlap; anniversaries never drift', () => {
  fc.assert(
    fc.property(
      day,
      months,
      fc.constantFrom('natural', 'anniversary'),
      fc.boolean(),
      fc.option(fc.nat(2000)),
      (start, k, type, alignYear, after) => {
        const end = after === null ? undefined : addDays(start, after)
        const list = nextPeriods(
          { type, months: k, alignYear },
          end === undefined ? { start } : { start, end },
          undefined,
          40,
        )
        expect(defined(list[0]).begin).toBe(start)
        list.forEach((p, i) => {
          expect(p.begin <= p.end).toBe(true)
          if (i) {
            expect(p.begin).toBe(addDays(defined(list[i - 1]).end, 1))
          }
          if (type === 'anniversary') {
            expect(p.begin).toBe(addMonthsFrom(start, i * k))
          }
          if (type === 'natural' && p.end !== end) {
            expect(addDays(p.end, 1).slice(8)).toBe('01')
          }
        })
        if (end !== undefined && list.length < 40) {
          expect(defined(list.at(-1)).end).toBe(end)
        }
      },
    ),
  )
})

it('a period is the same whether reached in one run or in many', () => {
  fc.assert(
    fc.property(day, months, fc.boolean(), (start, k, alignYear) => {
      const c: Cycle = { type: 'anniversary', months: k, alignYear }
      const all = nextPeriods(c, { start }, undefined, 10)
      all.slice(1).forEach((p, i) => expect(nextPeriod(c, { start }, defined(all[i]).end)).toEqual(p))
    }),
  )
})

it('CYC-2 starts at the latest of its dates, and never without the day its rule needs', () => {
  const dates = {
    delivered: '2025-03-18',
    movedIn: '2025-04-02',
    leaseFrom: '2025-05-01',
    cardFrom: '2025-06-01',
  } as const
  expect(
    (['fixedDate', 'delivery', 'monthAfterDelivery', 'moveIn', 'lease', 'card'] as const).map(r =>
      chargingStart(r, '2025-01-01', undefined, dates),
    ),
  ).toEqual(['2025-01-01', '2025-03-18', '2025-04-01', '2025-04-02', '2025-05-01', '2025-06-01'])
  expect([
    chargingStart('delivery', '2025-04-01', '2025-02-01', dates),
    chargingStart('fixedDate', '2025-01-01', '2025-02-01', dates),
  ]).toEqual(['2025-04-01', '2025-02-01'])
  expect([
    chargingStart('fixedDate', undefined, '2025-02-01', dates),
    chargingStart('delivery', '2025-04-01', undefined, {}),
  ]).toEqual([undefined, undefined])
  expect([chargingEnd(undefined, '2025-09-30', '2025-08-31'), chargingEnd(undefined)]).toEqual([
    '2025-08-31',
    undefined,
  ])
})

it('GEN-1 bills ahead or behind', () => {
  const p = { begin: '2025-04-01', end: '2025-04-30' } as const
  expect(generationDay({ mode: 'ahead', advanceDays: 5, delayDays: 9 }, p)).toBe('2025-03-27')
  expect(generationDay({ mode: 'behind', advanceDays: 5, delayDays: 2 }, p)).toBe('2025-05-03')
})

it('GEN-10 sets the due date, after days off when set so', () => {
  const p = { begin: '2025-04-01', end: '2025-04-30' } as const
  const due = (
    base: 'billed' | 'begin' | 'end' | 'fixed',
    days: number,
    on: Day = '2025-03-28',
    isWorkday?: (d: Day) => boolean,
  ): Day => dueDate({ base, days, isWorkday }, on, p)
  expect([due('billed', 10), due('begin', 10), due('end', 10)]).toEqual([
    '2025-04-07',
    '2025-04-11',
    '2025-05-10',
  ])
  expect([
    due('fixed', 10),
    due('fixed', 10, '2025-05-12'),
    due('fixed', 31, '2025-04-05'),
    due('fixed', 1),
  ]).toEqual(['2025-04-10', '2025-06-10', '2025-04-30', '2025-04-01'])
  const off = new Set(['2025-05-01', '2025-05-02', '2025-05-03', '2025-05-04', '2025-05-05'])
  expect(due('end', 1, '2025-03-28', d => !off.has(d))).toBe('2025-05-06')
  expect(() => due('fixed', 0)).toThrow('1 到 31')
  expect(() => due('fixed', 32)).toThrow('1 到 31')
  expect(() => due('end', 1, '2025-03-28', () => false)).toThrow('没有工作日')
})

it('CYC-8 resumes backwards or onwards', () => {
  expect([
    resumeBilledTo('backwards', '2025-03-31', '2025-06-15'),
    resumeBilledTo('onwards', '2025-03-31', '2025-06-15'),
    resumeBilledTo('onwards', undefined, '2025-06-15'),
    resumeBilledTo('onwards', '2025-12-31', '2025-06-15'),
  ]).toEqual(['2025-03-31', '2025-06-14', '2025-06-14', '2025-12-31'])
})
