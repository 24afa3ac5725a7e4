import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { dayOf, type Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { detectAnomalies, computeWindow, windowRefusal } from './anomaly.ts'
import {
  planMonthClear,
  findLastEndNumber,
  periodOf,
  placeReading,
  readingStates,
  planRemoval,
  replaceRefusal,
  type ReadingInput,
  type MeterBase,
  type ReadingRow,
} from './reading.ts'
import {
  estimateReading,
  canRollOver,
  readingRefusal,
  sumRegisters,
  trueUp,
  computeUsage,
  usageRefusal,
} from './usage.ts'

it('MTR-3, T-MTR-01 through the top of the counter', () => {
  const c = { last: '99980', current: '15', multiplier: '40', modulus: '100000' }
  expect(computeUsage({ ...c, rollover: true })).toBe('1400')
  expect(() => computeUsage(c)).toThrow('本期读数小于上期读数，如为翻表请勾选')
  expect([
    usageRefusal({ ...c, current: '99990', rollover: true }),
    usageRefusal({ last: '9', current: '1', multiplier: '1', rollover: true }),
  ]).toEqual([expect.stringContaining('取消勾选'), expect.stringContaining('位数')])
  expect(usageRefusal({ ...c, last: '123456', rollover: true })).toContain('核对位数')
  expect([
    canRollOver('99980', '15', '100000'),
    canRollOver('90000', '15', '100000'),
    canRollOver('99980', '10000', '100000'),
    canRollOver('99980', '15', undefined),
  ]).toEqual([true, false, false, false])
})

it('T-MTR-02 and T-MTR-03 a replaced meter counts in parts', () => {
  expect(
    [
      { last: '5188', current: '5320', multiplier: '20' },
      { last: '3', current: '96', multiplier: '30' },
    ].map(computeUsage),
  ).toEqual(['2640', '2790'])
  expect(
    [
      { last: '1180.2', current: '1250.5', multiplier: '1' },
      { last: '0', current: '36.4', multiplier: '1' },
    ].map(computeUsage),
  ).toEqual(['70.3', '36.4'])
  expect(
    [
      replaceRefusal({ day: '2025-03-10', current: '100' }, '100', '0', '1', '2025-03-10'),
      replaceRefusal({ day: '2025-03-10' }, '1', '0', '1', '2025-03-09'),
      replaceRefusal({ current: '100' }, '99', '0', '1', '2025-03-10'),
      replaceRefusal({}, '1', '-1', '1', '2025-03-10'),
      replaceRefusal({}, '1', '0', '0', '2025-03-10'),
    ].map(x => x === undefined),
  ).toEqual([true, false, false, false, false])
})

it('MTR-2 multiplier and loss, to four decimals; what a meter can show', () => {
  expect([
    computeUsage({ last: '10', current: '12.345', multiplier: '1.23456', loss: '0.5' }),
    computeUsage({ last: '5', current: '5', multiplier: '1' }),
  ]).toEqual(['3.395', '0'])
  expect(computeUsage({ last: '0', current: '0.00005', multiplier: '1' })).toBe('0.0001')
  expect(
    [
      readingRefusal('99999', '100000', 0),
      readingRefusal('100000', '100000', 0),
      readingRefusal('-1', undefined, 0),
      readingRefusal('1.5', undefined, 0),
      readingRefusal('1.50', undefined, 1),
      readingRefusal('1.55', undefined, 1),
      readingRefusal('0', undefined, 0),
    ].map(x => x === undefined),
  ).toEqual([true, false, false, false, true, false, true])
})

it('MTR-13 estimates, and what the next real reading puts right', () => {
  expect([
    estimateReading(
      [
        { usage: '30', days: 30 },
        { usage: '61', days: 31 },
      ],
      30,
      '100',
      '1',
      0,
    ),
    estimateReading([{ usage: '600', days: 30 }], 30, '100', '20', 1),
    estimateReading([], 30, '100', '1', 0),
    estimateReading([{ usage: '30', days: 30 }], 30, '100', '2.5', 1),
    estimateReading([{ usage: '1', days: 1 }], 1, '1', '0', 0),
    estimateReading([{ usage: '0', days: 30 }], 30, '7', '1', 0),
    estimateReading([{ usage: '-5', days: 30 }], 30, '7', '1', 0),
  ]).toEqual(['144', '130', undefined, '112', undefined, '7', undefined])
  expect(computeUsage({ last: '144', current: '130', multiplier: '1', afterEstimate: true })).toBe('-14')
  expect([trueUp('0'), trueUp('-14'), trueUp('10', '-14'), trueUp('20', '-4')]).toEqual([
    { billed: '0', negativeUsage: '0' },
    { billed: '0', negativeUsage: '-14' },
    { billed: '0', negativeUsage: '-4' },
    { billed: '16', negativeUsage: '0' },
  ])
})

it('MTR-15 registers by time of use; SHR-1 what a main meter lost', () => {
  const r = (name: string, current: string, price: string) => ({
    name,
    last: '0',
    current,
    multiplier: '2',
    price,
  })
  expect(
    sumRegisters([r('尖', '1', '1.2'), r('峰', '10', '1'), r('平', '20', '0.6'), r('谷', '30', '0.3')]),
  ).toEqual({ usage: '122', yuan: '64.4' })
  expect(() => sumRegisters([])).toThrow('1 到 4')
})

const readingRow = (id: Id, day: Day, current: string, overrides: Partial<ReadingRow> = {}): ReadingRow => ({
  id,
  day,
  month: monthOf(day),
  current,
  rollover: false,
  estimate: false,
  state: 'open',
  ...overrides,
})

const readingInput = (day: Day, current: string, overrides: Partial<ReadingInput> = {}): ReadingInput => ({
  day,
  month: monthOf(day),
  current,
  rollover: false,
  ...overrides,
})

const meter: MeterBase = { initial: '50', installed: '2024-12-01' }
const readingRows = [readingRow(asId(1), '2025-01-31', '100'), readingRow(asId(2), '2025-03-31', '300')]
const placementResult = (x: ReturnType<typeof placeReading>): string =>
  x.kind === 'refused' ? x.why : x.kind

it('T-MTR-07, MTR-4 no base stays without one', () => {
  expect(placeReading([], {}, readingInput('2025-01-31', '1234'), { monthly: true })).toEqual({
    kind: 'placed',
    afterEstimate: false,
  })
  expect(placementResult(placeReading([], meter, readingInput('2024-12-01', '50'), { monthly: true }))).toBe(
    'placed',
  )
  expect(placeReading([], meter, readingInput('2025-01-31', '1234'), { monthly: true })).toEqual({
    kind: 'placed',
    last: '50',
    lastDay: '2024-12-01',
    afterEstimate: false,
  })
})

it('MTR-5, MTR-6 the same again is the same row; one a month; abolished ones do not count', () => {
  expect(placeReading(readingRows, meter, readingInput('2025-01-31', '100.0'), { monthly: true })).toEqual({
    kind: 'same',
    id: 1,
  })
  expect([
    placementResult(placeReading(readingRows, meter, readingInput('2025-01-31', '101'), { monthly: true })),
    placementResult(placeReading(readingRows, meter, readingInput('2025-01-20', '90'), { monthly: true })),
    placementResult(placeReading(readingRows, meter, readingInput('2025-01-20', '90'), { monthly: false })),
    placementResult(placeReading(readingRows, meter, readingInput('2024-11-30', '60'), { monthly: true })),
  ]).toEqual([
    expect.stringContaining('同一天'),
    expect.stringContaining('每月只能抄一次'),
    'placed',
    expect.stringContaining('安装日期'),
  ])
  expect(
    placementResult(
      placeReading(
        [readingRow(asId(1), '2025-01-31', '100', { state: 'abolished' })],
        meter,
        readingInput('2025-01-31', '90'),
        { monthly: true },
      ),
    ),
  ).toBe('placed')
})

it('MTR-7 a reading in between keeps the order and moves the next one', () => {
  expect(placeReading(readingRows, meter, readingInput('2025-02-28', '200'), { monthly: true })).toEqual({
    kind: 'placed',
    last: '100',
    lastDay: '2025-01-31',
    afterEstimate: false,
    next: { id: 2, last: '200', lastDay: '2025-02-28' },
  })
  expect([
    placementResult(placeReading(readingRows, meter, readingInput('2025-02-28', '100'), { monthly: true })),
    placementResult(placeReading(readingRows, meter, readingInput('2025-02-28', '300'), { monthly: true })),
  ]).toEqual(['placed', 'placed'])
  expect([
    placementResult(placeReading(readingRows, meter, readingInput('2025-02-28', '99'), { monthly: true })),
    placementResult(placeReading(readingRows, meter, readingInput('2025-02-28', '301'), { monthly: true })),
    placementResult(
      placeReading(
        [defined(readingRows[0]), { ...defined(readingRows[1]), state: 'billed', bill: 'ZD1' }],
        meter,
        readingInput('2025-02-28', '200'),
        { monthly: true },
      ),
    ),
  ]).toEqual([
    expect.stringContaining('小于上期'),
    expect.stringContaining('大于后一次读数 300'),
    expect.stringContaining('账单 ZD1'),
  ])
  expect([
    placementResult(
      placeReading(readingRows, meter, readingInput('2025-01-30', '110', { id: asId(1) }), { monthly: true }),
    ),
    placementResult(
      placeReading(readingRows, meter, readingInput('2025-04-05', '400', { id: asId(1) }), { monthly: true }),
    ),
    placementResult(
      placeReading(
        [{ ...defined(readingRows[0]), state: 'billed' }],
        meter,
        readingInput('2025-01-31', '110', { id: asId(1) }),
        { monthly: true },
      ),
    ),
  ]).toEqual(['placed', expect.stringContaining('越过'), expect.stringContaining('已出账')])
  expect([
    placementResult(
      placeReading(
        [readingRow(asId(1), '2025-01-31', '99980')],
        meter,
        readingInput('2025-02-28', '15', { rollover: true }),
        { monthly: true },
      ),
    ),
    placementResult(
      placeReading(
        [readingRow(asId(1), '2025-01-31', '144', { estimate: true })],
        meter,
        readingInput('2025-02-28', '130'),
        { monthly: true },
      ),
    ),
  ]).toEqual(['placed', 'placed'])
})

it('MTR-9, MTR-10, MTR-12 states, removing, clearing, last numbers, days billed', () => {
  expect([
    readingStates.nextStates('open'),
    readingStates.nextStates('billed'),
    readingStates.nextStates('abolished'),
  ]).toEqual([['billed', 'abolished'], ['open'], []])
  expect([
    planRemoval(readingRows, meter, asId(1)),
    planRemoval(readingRows, meter, asId(2)),
    planRemoval(readingRows, meter, asId(9)),
    planRemoval([{ ...defined(readingRows[0]), state: 'billed' }], meter, asId(1)),
    planRemoval([defined(readingRows[0]), { ...defined(readingRows[1]), state: 'billed' }], meter, asId(1)),
  ]).toEqual([
    { next: { id: 2, last: '50', lastDay: '2024-12-01' } },
    {},
    expect.any(String),
    expect.stringContaining('已出账'),
    expect.stringContaining('后一次'),
  ])
  const many = [
    readingRow(asId(1), '2025-01-10', '1', { state: 'billed' }),
    readingRow(asId(2), '2025-01-20', '2'),
    readingRow(asId(3), '2025-01-31', '3'),
    readingRow(asId(4), '2025-02-28', '4', { state: 'billed' }),
  ]
  expect([planMonthClear(many, '2025-01'), planMonthClear(many, '2025-05')]).toEqual([
    { remove: [2], kept: 2 },
    { remove: [], kept: 0 },
  ])
  expect([
    findLastEndNumber(readingRows, meter),
    findLastEndNumber(readingRows, meter, '2025-03'),
    findLastEndNumber(readingRows, meter, '2025-01'),
    findLastEndNumber([], {}),
  ]).toEqual(['300', '100', '50', undefined])
  expect([
    periodOf({ day: '2025-03-31', lastDay: '2025-02-28' }),
    periodOf({ day: '2025-03-31' }),
    periodOf({ day: '2025-03-31', lastDay: '2025-03-31' }),
  ]).toEqual([
    { begin: '2025-03-01', end: '2025-03-31' },
    { begin: '2025-03-31', end: '2025-03-31' },
    { begin: '2025-03-31', end: '2025-03-31' },
  ])
})

it('MTR-8, MTR-16, MTR-18 what to look at, when to read, what is left', () => {
  const window = computeWindow('2025-02', 30, 5)
  expect([window, computeWindow('2025-03', 25, 0)]).toEqual([
    { begin: '2025-02-28', end: '2025-03-04' },
    { begin: '2025-03-25', end: '2025-03-25' },
  ])
  const past = { recent: ['10', '10', '10', '1000'], sameMonthLastYear: '20', window }
  expect([
    detectAnomalies('30', '2025-02-28', past),
    detectAnomalies('30.0001', '2025-03-04', past),
    detectAnomalies('40.1', '2025-03-05', past),
    detectAnomalies('0', '2025-02-28', past),
    detectAnomalies('-1', '2025-02-28', past),
    detectAnomalies('999', '2025-02-28', { recent: [] }),
  ]).toEqual([[], ['high'], ['high', 'jump', 'late'], ['zero'], ['negative'], []])
  expect(
    [
      windowRefusal(window, '2025-03-05'),
      windowRefusal(window, '2025-03-04'),
      windowRefusal(window, '2025-02-28'),
      windowRefusal(window, '2025-02-27'),
    ].map(x => x === undefined),
  ).toEqual([false, true, true, false])
})

it('usage is never lost: in any order of entry, with readings taken away, the parts make the whole', () => {
  const entry = fc.tuple(fc.integer({ min: 1, max: 28 }), fc.nat(11))
  fc.assert(
    fc.property(
      fc.uniqueArray(entry, { selector: ([d, m]) => m * 100 + d, minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(11), { maxLength: 4 }),
      (days, drop) => {
        // The true counter is at day-of-year × 7.
        const at = ([d, m]: readonly [number, number]) => ({
          day: dayOf(2025, m + 1, d),
          current: String((m * 31 + d) * 7),
        })
        let list: ReadingRow[] = []
        days.forEach((x, id) => {
          const got = placeReading(list, { initial: '0' }, readingInput(at(x).day, at(x).current), {
            monthly: false,
          })
          if (got.kind !== 'placed') throw new Error(placementResult(got))
          list = [
            ...list.map(r => (r.id === got.next?.id ? { ...r, last: got.next.last } : r)),
            readingRow(asId(id), at(x).day, at(x).current, { last: got.last }),
          ]
        })
        for (const i of drop) {
          const removed = list[i]
          if (!removed) continue
          const got = planRemoval(list, { initial: '0' }, removed.id)
          if (typeof got === 'string') throw new Error(got)
          list = list
            .filter(r => r !== removed)
            .map(r => (r.id === got.next?.id ? { ...r, last: got.next.last } : r))
        }
        const used = list.reduce(
          (sum, r) =>
            sum + Number(computeUsage({ last: defined(r.last), current: r.current, multiplier: '1' })),
          0,
        )
        expect(used).toBe(Math.max(0, ...list.map(r => Number(r.current))))
      },
    ),
  )
})
