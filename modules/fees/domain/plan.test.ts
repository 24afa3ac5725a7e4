import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Month } from '#kit/domain/month.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, fromEpochDays, type Day } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import { computeBilledTo, nextManualBegin, planRelation } from './plan.ts'
import { type BillingPlan, type PlanScope, type ExistingBill } from './planned-line.ts'
import {
  listRequiredParameters,
  prepareStandard,
  type Reading,
  type Relation,
  type Source,
  type Standard,
} from './standard.ts'
import { completeTemporaryPeriod, temporaryRefusal } from './temporary-fee.ts'

const baseStandard: Standard = {
  id: asId(1),
  feeType: 'cyclic',
  allowMulti: false,
  formulaType: 'area',
  areaKind: 'build',
  cycle: { type: 'natural', months: 1, alignYear: false },
  timing: { mode: 'ahead', advanceDays: 5, delayDays: 0 },
  startRule: 'fixedDate',
  mode: 'actual',
  due: { base: 'begin', days: 9 },
  rounding: { type: 'halfUp', unit: 'fen' },
  versions: [{ id: asId(11), from: '2020-01-01', price: '2.00' }],
}

const room: Source = {
  enabled: true,
  dates: {},
  facts: [{ from: '2020-01-01', buildArea: '100' }],
  payers: [{ from: '2020-01-01', payer: 5 }],
}

const relation: Relation = { id: asId(3), state: 'charging', begin: '2025-01-10' }
const monthScope = (m: Month): PlanScope => ({ kind: 'month', month: m, today: '2025-06-01' })

const planWith = (
  scope: PlanScope,
  overrides: {
    s?: Partial<Standard>
    r?: Partial<Relation>
    room?: Partial<Source>
    existing?: readonly ExistingBill[]
    readings?: readonly Reading[]
  } = {},
): BillingPlan =>
  planRelation(
    prepareStandard({ ...baseStandard, ...overrides.s }),
    { ...relation, ...overrides.r },
    { ...room, ...overrides.room },
    overrides.existing ?? [],
    scope,
    overrides.readings,
  )

const describeLines = (x: BillingPlan): string[] =>
  x.lines.map(l => `${l.begin}…${l.end.slice(5)} ${l.amount}`)
const skipReasons = (x: BillingPlan): string[] => x.skips.map(k => k.reason)

it('GEN-1, GEN-4 catches up what has fallen due, oldest first, at most 36 a run', () => {
  const result = planWith({ kind: 'due', today: '2025-02-24' })
  expect([describeLines(result), result.billedTo, result.hasMore]).toEqual([
    ['2025-01-10…01-31 14194', '2025-02-01…02-28 20000', '2025-03-01…03-31 20000'].slice(0, 3),
    '2025-03-31',
    false,
  ])
  expect(describeLines(planWith({ kind: 'due', today: '2025-02-23' }))).toHaveLength(2)
  expect(result.lines[1]).toMatchObject({
    belongMonth: '2025-02',
    dueDate: '2025-02-10',
    payer: 5,
    quantity: '100',
    price: '2.00',
    payerMissing: false,
  })
  const behind = { timing: { mode: 'behind', advanceDays: 0, delayDays: 2 } } as const
  expect([
    describeLines(planWith({ kind: 'due', today: '2025-02-02' }, { s: behind })),
    describeLines(planWith({ kind: 'due', today: '2025-02-03' }, { s: behind })),
  ]).toEqual([[], ['2025-01-10…01-31 14194']])
  expect(
    [monthScope('2025-01'), monthScope('2024-12')].map(m => describeLines(planWith(m, { s: behind }))),
  ).toEqual([['2025-01-10…01-31 14194'], []])
  expect(describeLines(planWith(monthScope('2025-02'), { r: { begin: '2025-02-28' } }))).toEqual([
    '2025-02-28…02-28 714',
  ])
  const long = planWith(monthScope('2030-12'))
  expect([long.lines.length, long.hasMore, long.billedTo]).toEqual([36, true, '2027-12-31'])
  expect(planWith(monthScope('2030-12'), { r: { billedTo: defined(long.billedTo) } })).toMatchObject({
    hasMore: false,
    billedTo: '2030-12-31',
  })
})

it('GEN-2 a billed period is reported, not billed twice; a partly overlapping bill stops the relation', () => {
  const existing: ExistingBill[] = [{ begin: '2025-01-01', end: '2025-01-31' }]
  expect([
    describeLines(planWith(monthScope('2025-02'), { existing })),
    skipReasons(planWith(monthScope('2025-02'), { existing })),
  ]).toEqual([['2025-02-01…02-28 20000'], ['periodExists']])
  const half = planWith(monthScope('2025-02'), { existing: [{ begin: '2025-01-15', end: '2025-02-14' }] })
  expect([half.lines, half.skips[0]?.detail, half.billedTo]).toEqual([
    [],
    '与 2025-01-15 至 2025-02-14 的账单部分重叠，请先处理该账单',
    undefined,
  ])
  const halves: ExistingBill[] = [
    { begin: '2025-01-01', end: '2025-01-14' },
    { begin: '2025-01-15', end: '2025-01-31' },
  ]
  expect(
    [halves, halves.toReversed()].map(two => {
      const result = planWith(monthScope('2025-02'), { existing: two })
      return [describeLines(result), skipReasons(result), result.billedTo]
    }),
  ).toEqual(Array.from({ length: 2 }, () => [['2025-02-01…02-28 20000'], ['periodExists'], '2025-02-28']))
  expect(describeLines(planWith(monthScope('2025-01'), { existing, s: { allowMulti: true } }))).toHaveLength(
    1,
  )
  expect(
    describeLines(
      planWith(monthScope('2025-01'), {
        existing: [{ ...defined(existing[0]), relationId: asId(3) }],
        s: { allowMulti: true },
      }),
    ),
  ).toHaveLength(0)
  expect(
    describeLines(planWith(monthScope('2025-01'), { existing, s: { feeType: 'monthCard' } })),
  ).toHaveLength(1)
})

it('GEN-3 an abolished bill frees its period', () => {
  const r = { billedTo: '2025-04-30', freed: [{ begin: '2025-02-01', end: '2025-02-28' }] } as const
  expect([
    describeLines(planWith(monthScope('2025-02'), { r })),
    planWith(monthScope('2025-02'), { r }).billedTo,
    describeLines(planWith(monthScope('2025-03'), { r })),
    describeLines(planWith({ kind: 'due', today: '2025-04-20' }, { r })),
  ]).toEqual([['2025-02-01…02-28 20000'], '2025-04-30', [], []])
  const freed = (begin: Day, end: Day, overrides: Partial<Relation> = {}) =>
    describeLines(planWith(monthScope('2025-02'), { r: { ...r, freed: [{ begin, end }], ...overrides } }))
  expect([
    freed('2025-01-20', '2025-02-10'),
    freed('2025-02-01', '2025-04-30'),
    freed('2025-02-01', '2025-05-01'),
    freed('2025-02-01', '2025-02-28', { billedTo: undefined }).length,
    freed('2025-02-01', '2025-02-28', { end: '2025-02-14' }),
    freed('2025-02-01', '2025-02-28', { end: '2025-01-31' }),
    freed('2025-02-01', '2025-02-28', { begin: '2025-02-20' }),
    freed('2025-02-01', '2025-02-28', { state: 'suspended' }),
  ]).toEqual([
    ['2025-01-20…02-10 14885'],
    ['2025-02-01…04-30 60000'],
    [],
    2,
    ['2025-02-01…02-14 10000'],
    [],
    ['2025-02-20…02-28 6429'],
    [],
  ])
  expect(
    skipReasons(
      planWith(monthScope('2025-02'), { r: { ...r, free: [{ begin: '2025-02-01', end: '2025-02-28' }] } }),
    ),
  ).toEqual(['freePeriod'])
  expect(
    describeLines(
      planWith(monthScope('2025-02'), {
        r,
        existing: [{ begin: '2025-02-01', end: '2025-02-28', relationId: asId(3) }],
      }),
    ),
  ).toEqual([])
})

it('GEN-6 the skip reasons, each by its cause', () => {
  const doubt: Reading = {
    id: asId(1),
    begin: '2025-01-11',
    end: '2025-02-10',
    current: '5',
    multiplier: '1',
  }
  const metered = {
    formulaType: 'usage',
    versions: [{ id: asId(1), from: '2020-01-01', price: '3' }],
  } as const
  const of = (x: BillingPlan): string => `${skipReasons(x).join()} ${x.lines.length}`
  expect(of(planWith(monthScope('2025-01'), { room: { facts: [{ from: '2020-01-01' }] } }))).toBe(
    'areaMissing 0',
  )
  expect(of(planWith(monthScope('2025-01'), { r: { begin: undefined } }))).toBe('startDateMissing 0')
  expect(of(planWith(monthScope('2025-02'), { s: metered }))).toBe('meterReadingMissing 0')
  expect(of(planWith(monthScope('2025-02'), { s: metered, readings: [doubt] }))).toBe('meterBaseMissing 0')
  expect(of(planWith(monthScope('2025-01'), { s: { formulaType: 'custom', expression: 'S/0' } }))).toBe(
    'formulaInvalid 0',
  )
  expect(
    of(planWith(monthScope('2025-01'), { s: { versions: [{ id: asId(1), from: '2020-01-01' }] } })),
  ).toBe('priceMissing 0')
  expect(
    of(planWith(monthScope('2025-01'), { existing: [{ begin: '2025-01-01', end: '2025-12-31' }] })),
  ).toBe('periodExists 0')
  expect(of(planWith(monthScope('2025-01'), { r: { state: 'suspended' } }))).toBe('suspended 0')
  expect(
    of(planWith(monthScope('2025-01'), { r: { free: [{ begin: '2025-01-01', end: '2025-01-31' }] } })),
  ).toBe('freePeriod 0')
  expect(of(planWith(monthScope('2025-01'), { room: { enabled: false } }))).toBe('sourceDisabled 0')
  expect(
    of(
      planWith(monthScope('2025-01'), { s: { versions: [{ id: asId(1), from: '2020-01-01', price: '0' }] } }),
    ),
  ).toBe('amountZero 0')
  expect(of(planWith(monthScope('2025-01'), { r: { excluded: true } }))).toBe('excluded 0')
  expect(of(planWith(monthScope('2025-01'), { s: { formulaType: 'share' } }))).toBe('poolMissing 0')
  expect(
    [
      planWith(
        { kind: 'month', month: '2025-01', today: '2025-06-01', pools: new Set([asId(1)]) },
        { s: { formulaType: 'share' } },
      ),
      planWith(monthScope('2024-12'), { s: { formulaType: 'share' } }),
      planWith(monthScope('2025-02'), { s: { formulaType: 'share' }, r: { end: '2025-02-27' } }),
      planWith({ kind: 'due', today: '2025-06-01' }, { s: { formulaType: 'share' } }),
    ].map(of),
  ).toEqual([' 0', ' 0', ' 0', ' 0'])
  expect([
    planWith(monthScope('2025-01'), { s: { formulaType: 'imported' } }),
    planWith(monthScope('2025-01'), { s: { formulaType: 'times' }, r: { billedTo: '2025-01-31' } }),
  ]).toEqual([
    { lines: [], skips: [], gaps: [], hasMore: false },
    { lines: [], skips: [], gaps: [], billedTo: '2025-01-31', hasMore: false },
  ])
  const withoutPayer = planWith(monthScope('2025-01'), { room: { payers: [] } })
  expect([of(withoutPayer), withoutPayer.lines[0]?.payerMissing]).toEqual([' 1', true])
  expect(of(planWith(monthScope('2025-01'), { r: { state: 'ended' } }))).toBe(' 0')
  expect(
    (['2025-02-28', '2025-01-31'] as const).map(billedTo =>
      describeLines(planWith(monthScope('2025-06'), { r: { state: 'ended', end: '2025-02-28', billedTo } })),
    ),
  ).toEqual([[], ['2025-02-01…02-28 20000']])
})

it('CYC-7, CYC-8 free periods and zero amounts move on, suspensions and faults stay', () => {
  const free = planWith(monthScope('2025-02'), { r: { free: [{ begin: '2025-01-01', end: '2025-01-31' }] } })
  expect([describeLines(free), skipReasons(free), free.billedTo]).toEqual([
    ['2025-02-01…02-28 20000'],
    ['freePeriod'],
    '2025-02-28',
  ])
  expect(
    [
      planWith(monthScope('2025-03'), { r: { state: 'suspended', billedTo: '2025-01-31' } }),
      planWith(monthScope('2025-01'), { r: { state: 'suspended', billedTo: '2025-01-31' } }).skips,
    ].map(x => ('billedTo' in x ? [x.billedTo, skipReasons(x)] : x)),
  ).toEqual([['2025-01-31', ['suspended']], []])
  expect(planWith(monthScope('2025-03'), { room: { facts: [{ from: '2020-01-01' }] } })).toMatchObject({
    lines: [],
    hasMore: false,
  })
  expect('billedTo' in planWith(monthScope('2025-03'), { room: { facts: [{ from: '2020-01-01' }] } })).toBe(
    false,
  )
})

it('GEN-3 days whose charging was given up are left out, a period of them alone is skipped', () => {
  const freed = (begin: Day, end: Day) => ({
    r: { freed: [{ begin, end, after: 'waived' as const }], billedTo: '2025-01-31' as Day },
  })
  const whole = planWith(monthScope('2025-03'), freed('2025-02-01', '2025-02-28'))
  expect([describeLines(whole), skipReasons(whole), whole.billedTo]).toEqual([
    ['2025-03-01…03-31 20000'],
    ['waived'],
    '2025-03-31',
  ])
  const half = planWith(monthScope('2025-02'), freed('2025-02-01', '2025-02-14'))
  expect([describeLines(half), skipReasons(half), half.billedTo]).toEqual([
    ['2025-02-15…02-28 10000'],
    [],
    '2025-02-28',
  ])
  const unpriced = { room: { facts: [{ from: '2020-01-01' as const }] } }
  const fault = planWith(monthScope('2025-02'), { ...freed('2025-02-01', '2025-02-14'), ...unpriced })
  expect([describeLines(fault), skipReasons(fault), fault.billedTo]).toEqual([
    [],
    ['areaMissing'],
    '2025-01-31',
  ])
})

it('MTR-9 each waiting reading is a bill of its own, within charging and up to the scope', () => {
  const s = { formulaType: 'usage', versions: [{ id: asId(1), from: '2020-01-01', price: '3' }] } as const
  const reading = (id: Id, begin: Day, end: Day, overrides: Partial<Reading> = {}): Reading => ({
    id,
    begin,
    end,
    last: '0',
    current: '5',
    usage: '5',
    multiplier: '1',
    ...overrides,
  })
  const readings = [
    reading(asId(1), '2024-12-01', '2025-01-05'),
    reading(asId(2), '2025-01-06', '2025-02-05'),
    reading(asId(3), '2025-02-06', '2025-03-05', { last: undefined }),
    reading(asId(4), '2025-03-06', '2025-04-05'),
    reading(asId(5), '2025-04-06', '2025-05-05'),
  ]
  const result = planWith(monthScope('2025-04'), { s, readings })
  expect([
    result.lines.map(l => [l.readingId, l.amount, l.quantity]),
    skipReasons(result),
    result.billedTo,
  ]).toEqual([
    [
      [2, 1500, '5'],
      [4, 1500, '5'],
    ],
    ['meterBaseMissing'],
    '2025-04-05',
  ])
  expect(
    skipReasons(
      planWith(monthScope('2025-04'), {
        s,
        readings,
        existing: [{ begin: '2025-03-20', end: '2025-03-20' }],
      }),
    ),
  ).toEqual(['meterBaseMissing', 'periodExists'])
  expect(skipReasons(planWith(monthScope('2024-12'), { s }))).toEqual([])
  expect(skipReasons(planWith({ kind: 'due', today: '2025-06-01' }, { s }))).toEqual([])
  expect(
    [
      planWith(monthScope('2025-04'), { s, readings, r: { end: '2025-03-05' } }),
      planWith(monthScope('2025-04'), { s, readings, r: { end: '2025-03-06' } }),
      planWith(monthScope('2025-04'), { s, readings, r: { begin: '2025-02-05', billedTo: '2025-06-30' } }),
    ].map(x => [x.lines.map(l => l.readingId), x.billedTo]),
  ).toEqual([
    [[2], '2025-02-05'],
    [[2, 4], '2025-04-05'],
    [[2, 4], '2025-06-30'],
  ])
  const suspended = { state: 'suspended' } as const
  expect(
    [
      planWith({ kind: 'due', today: '2025-06-01' }, { s, r: suspended }),
      planWith({ kind: 'due', today: '2025-06-01' }, { s, r: suspended, readings }),
      planWith(monthScope('2025-04'), { s, r: suspended }),
    ].map(x => [skipReasons(x), x.lines.length]),
  ).toEqual([
    [[], 0],
    [['suspended'], 0],
    [['suspended'], 0],
  ])
})

it('CYC-7 a reading of zero moves BilledTo on, and is reported once and in its own month', () => {
  const s = { formulaType: 'usage', versions: [{ id: asId(1), from: '2020-01-01', price: '3' }] } as const
  const readings = (
    [
      ['2025-01-06', '2025-02-05', '0'],
      ['2025-02-06', '2025-03-05', '0'],
      ['2025-03-06', '2025-04-05', '5'],
    ] as const
  ).map(([begin, end, usage], i): Reading => ({
    id: asId(i + 1),
    begin,
    end,
    last: '0',
    current: usage,
    usage,
    multiplier: '1',
  }))
  const first = planWith(monthScope('2025-03'), { s, readings })
  expect([skipReasons(first), first.billedTo]).toEqual([['amountZero', 'amountZero'], '2025-03-05'])
  const again = (scope: Parameters<typeof planWith>[0]) => {
    const result = planWith(scope, { s, readings, r: { billedTo: defined(first.billedTo) } })
    return [skipReasons(result), result.lines.map(l => l.readingId), result.billedTo]
  }
  expect([
    again(monthScope('2025-03')),
    again(monthScope('2025-04')),
    again({ kind: 'due', today: '2025-06-01' }),
  ]).toEqual([
    [['amountZero'], [], '2025-03-05'],
    [[], [3], '2025-04-05'],
    [[], [3], '2025-04-05'],
  ])
})

it('TMP-1 temporary fees, TMP-2 so many periods ahead at today’s price', () => {
  const versions = [
    { id: asId(1), from: '2020-01-01', to: '2025-06-30', price: '2' },
    { id: asId(2), from: '2025-07-01', price: '3' },
  ] as const
  const result = planWith(
    { kind: 'ahead', count: 3, today: '2025-06-01' },
    { s: { versions }, r: { billedTo: '2025-05-31' } },
  )
  expect([describeLines(result), result.hasMore, result.billedTo]).toEqual([
    ['2025-06-01…06-30 20000', '2025-07-01…07-31 20000', '2025-08-01…08-31 20000'],
    false,
    '2025-08-31',
  ])
  expect(temporaryRefusal('temporary', asFen(1), 1, {})).toBeUndefined()
  expect(
    [
      temporaryRefusal('cyclic', asFen(1), 1, {}),
      temporaryRefusal('temporary', 0, 1, {}),
      temporaryRefusal('temporary', asFen(10_000_000_000), 1, {}),
      temporaryRefusal('temporary', asFen(1), 0, {}),
      temporaryRefusal('deposit', asFen(1), 1, { begin: '2025-02-01', end: '2025-01-01' }),
    ].every(Boolean),
  ).toBe(true)
  expect([
    temporaryRefusal('deposit', asFen(9_999_999_999), 1, { begin: '2025-02-01', end: '2025-02-01' }),
    temporaryRefusal('temporary', asFen(1), 1, { end: '2025-02-01' }),
  ]).toEqual([undefined, undefined])
  expect([
    completeTemporaryPeriod({}, '2025-06-01'),
    completeTemporaryPeriod({ begin: '2025-05-01' }, '2025-06-01'),
  ]).toEqual([
    { begin: '2025-06-01', end: '2025-06-01' },
    { begin: '2025-05-01', end: '2025-05-01' },
  ])
  expect([
    computeBilledTo([]),
    computeBilledTo([
      { begin: '2025-01-01', end: '2025-03-31' },
      { begin: '2025-02-01', end: '2025-02-28' },
    ]),
    nextManualBegin([], '2025-01-10'),
    nextManualBegin([{ begin: '2025-01-01', end: '2025-03-31' }], '2025-01-10'),
  ]).toEqual([undefined, '2025-03-31', '2025-01-10', '2025-04-01'])
})

it('FEE-22 lists the parameters a standard needs', () => {
  expect([
    listRequiredParameters(prepareStandard(baseStandard)),
    listRequiredParameters(prepareStandard({ ...baseStandard, formulaType: 'fixed' })),
    listRequiredParameters(
      prepareStandard({
        ...baseStandard,
        formulaType: 'custom',
        expression: 'S*P*X+电梯费',
        parameters: ['电梯费'],
      }),
    ),
  ]).toEqual([['单价'], ['金额'], ['单价', '系数', '电梯费']])
})

const day = fc.integer({ min: 18_000, max: 20_000 }).map(fromEpochDays)

it('twice, in steps or at once: the same bills, without gap or overlap', () => {
  fc.assert(
    fc.property(
      day,
      fc.nat(900),
      fc.array(fc.nat(1000), { maxLength: 6 }),
      fc.constantFrom(1, 2, 3, 6, 12),
      fc.constantFrom('natural', 'anniversary'),
      fc.constantFrom('ahead', 'behind'),
      fc.option(fc.nat(900)),
      (begin, sold, steps, months, type, mode, after) => {
        const s = prepareStandard({
          ...baseStandard,
          cycle: { type, months, alignYear: false },
          timing: { mode, advanceDays: 3, delayDays: 4 },
        })
        const last = addDays(begin, 1000)
        const source: Source = {
          ...room,
          payers: [
            { from: '2000-01-01', payer: 1 },
            { from: addDays(begin, sold), payer: 2 },
          ],
        }
        const r: Relation = { ...relation, begin, ...(after === null ? {} : { end: addDays(begin, after) }) }
        const whole = planRelation(s, r, source, [], { kind: 'due', today: last })
        let billedTo: Day | undefined
        let lines: BillingPlan['lines'] = []
        for (const today of [...steps.map(n => addDays(begin, n)).toSorted(), last, last]) {
          const result = planRelation(s, billedTo === undefined ? r : { ...r, billedTo }, source, lines, {
            kind: 'due',
            today,
          })
          // A run that died after storing its bills but before moving BilledTo finds them and does not repeat
          // them.
          const again = planRelation(
            s,
            billedTo === undefined ? r : { ...r, billedTo },
            source,
            [...lines, ...result.lines].map(l => ({ ...l, relationId: asId(3) })),
            { kind: 'due', today },
          )
          expect(
            again.lines.filter(l => result.lines.some(g => g.begin <= l.end && l.begin <= g.end)),
          ).toEqual([])
          lines = [...lines, ...result.lines]
          billedTo = result.billedTo ?? billedTo
        }
        const bare = (list: BillingPlan['lines']) => list.map(l => [l.begin, l.end, l.payer, l.amount])
        expect(bare(lines)).toEqual(bare(whole.lines))
        lines.forEach((l, i) => {
          if (i) {
            expect(l.begin).toBe(addDays(defined(lines[i - 1]).end, 1))
          }
        })
      },
    ),
  )
})
