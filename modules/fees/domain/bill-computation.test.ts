import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, fromEpochDays, type Day } from '#kit/domain/day.ts'
import { asFen, displayYuan } from '#kit/domain/money.ts'
import type { Period } from '#kit/domain/period.ts'
import { computePeriodBills, computeReadingBill, payerOn } from './bill-computation.ts'
import { toPlannedLine } from './planned-line.ts'
import { explainAmount } from './amount-explanation.ts'
import { recompute } from './snapshot.ts'
import {
  prepareStandard,
  type SourceFacts,
  type Reading,
  type Relation,
  type Source,
  type Standard,
} from './standard.ts'
import type { PriceVersion } from './version.ts'

const standard = (overrides: Partial<Standard> & { version?: Partial<PriceVersion> } = {}): Standard => ({
  id: asId(1),
  feeType: 'cyclic',
  allowMulti: false,
  formulaType: 'area',
  areaKind: 'build',
  cycle: { type: 'natural', months: 1, alignYear: false },
  timing: { mode: 'ahead', advanceDays: 0, delayDays: 0 },
  startRule: 'fixedDate',
  mode: 'actual',
  due: { base: 'begin', days: 0 },
  rounding: { type: 'halfUp', unit: 'fen' },
  versions: [{ id: asId(11), from: '2020-01-01', price: '2.85', ...overrides.version }],
  ...overrides,
})

const room = (facts: Partial<SourceFacts> = {}, overrides: Partial<Source> = {}): Source => ({
  enabled: true,
  dates: {},
  facts: [{ from: '2020-01-01', buildArea: '98.65', ...facts }],
  payers: [{ from: '2020-01-01', payer: 5 }],
  ...overrides,
})

const relation = (overrides: Partial<Relation> = {}): Relation => ({
  id: asId(3),
  state: 'charging',
  begin: '2025-03-18',
  ...overrides,
})

const toPeriod = (begin: Day, end: Day): Period => ({ begin, end })
const marchPeriod = toPeriod('2025-03-01', '2025-03-31')

/** [begin, end, amount, exact, sentence] of each bill, or the reason. */
const describePeriodBills = (
  s: Standard,
  period: Period,
  source = room(),
  r = relation(),
  start: Day = '2025-03-18',
  pricedOn?: Day,
) => {
  const result = computePeriodBills(prepareStandard(s), r, source, period, start, pricedOn)
  for (const d of result.drawn ?? []) {
    expect(recompute(d.snapshot)).toBe(d.amount)
  }
  return result.drawn
    ? result.drawn.map(d => [d.amount, explainAmount(d.snapshot)])
    : [result.skipped.reason, result.skipped.detail]
}

/** The amounts alone. */
const amountsOf = (...of: Parameters<typeof describePeriodBills>) =>
  describePeriodBills(...of).map(drawn => (Array.isArray(drawn) ? drawn[0] : drawn))

it('T-FEE-01, T-FEE-02, T-FEE-05 area × price, rounded once in every way', () => {
  expect(
    describePeriodBills(standard({ version: { price: '0.15' } }), marchPeriod, room({ buildArea: '130.70' })),
  ).toEqual([[1961, '130.7 ㎡ × 0.15 元/㎡·月 × 1 月 = 19.61 元']])
  const roundings = [
    ['halfUp', 'fen'],
    ['up', 'fen'],
    ['down', 'fen'],
    ['halfUp', 'jiao'],
    ['halfUp', 'yuan'],
    ['halfEven', 'fen'],
  ] as const
  expect(
    roundings.map(([type, unit]) =>
      amountsOf(
        standard({ rounding: { type, unit }, version: { price: '2.50' } }),
        marchPeriod,
        room({ buildArea: '89.43' }),
      ),
    ),
  ).toEqual([[22358], [22358], [22357], [22360], [22400], [22358]])
  expect(
    describePeriodBills(
      standard({ rounding: { type: 'halfUp', unit: 'yuan' }, version: { price: '2.50' } }),
      marchPeriod,
      room({ buildArea: '89.43' }),
    )[0],
  ).toEqual([22400, '89.43 ㎡ × 2.5 元/㎡·月 × 1 月 = 224.00 元（四舍五入到元）'])
  expect([
    defined(describePeriodBills(standard(), marchPeriod)[0])[0],
    defined(describePeriodBills(standard({ rounding: { type: 'up', unit: 'fen' } }), marchPeriod)[0])[0],
  ]).toEqual([28115, 28116])
})

it('FEE-20 系数: the relation’s, else the standard’s, else the room’s own', () => {
  const s = (params?: Record<string, string>) =>
    standard({ formulaType: 'custom', expression: 'S * P * X', version: { price: '2', params } })
  const own = room({ buildArea: '100', ratio: '0.7' })
  const amount = (...[of, from, by]: [Standard, Source, Relation?]) => amountsOf(of, marchPeriod, from, by)[0]
  expect([
    amount(s(), own),
    amount(s({ 系数: '1.5' }), own),
    amount(s({ 系数: '1.5' }), own, relation({ ratio: '2' })),
  ]).toEqual([14000, 30000, 40000])
  expect(describePeriodBills(s(), marchPeriod, room({ buildArea: '100' }))).toEqual([
    'formulaInvalid',
    '缺少“系数”',
  ])
  // Types that know no 系数 are not multiplied by a room's.
  expect(amount(standard({ version: { price: '2' } }), own)).toBe(20000)
})

it('T-FEE-03, T-FEE-06 a year is rounded once, not month by month', () => {
  const year = toPeriod('2025-01-01', '2025-12-31')
  expect(
    describePeriodBills(
      standard({ version: { price: '1.4' }, rounding: { type: 'halfUp', unit: 'yuan' } }),
      year,
      room({ buildArea: '100.24' }),
    ),
  ).toEqual([[168400, '100.24 ㎡ × 1.4 元/㎡·月 × 12 月 = 1,684.00 元（四舍五入到元）']])
  expect(
    defined(
      describePeriodBills(standard({ version: { price: '2.50' } }), year, room({ buildArea: '89.43' }))[0],
    )[0],
  ).toBe(268290)
})

it('T-PRO-01 to T-PRO-04 as bills, with the sentence a resident reads', () => {
  expect(describePeriodBills(standard(), toPeriod('2025-03-18', '2025-03-31'))).toEqual([
    [12697, '98.65 ㎡ × 2.85 元/㎡·月 × 14/31 月 = 126.97 元'],
  ])
  expect(describePeriodBills(standard(), toPeriod('2025-03-18', '2025-06-30'))).toEqual([
    [97043, '98.65 ㎡ × 2.85 元/㎡·月 × (3 + 14/31) 月 = 970.43 元'],
  ])
  expect(describePeriodBills(standard({ mode: 'none' }), toPeriod('2025-03-18', '2025-03-31'))).toEqual([
    'amountZero',
    undefined,
  ])
  expect(
    computePeriodBills(
      prepareStandard(standard()),
      relation(),
      room(),
      toPeriod('2025-03-18', '2025-03-31'),
      '2025-03-18',
    ).drawn?.[0]?.snapshot,
  ).toEqual({
    type: 'area',
    mode: 'actual',
    exact: '126.9720967742',
    rounding: { type: 'halfUp', unit: 'fen' },
    amount: 12697,
    parts: [
      {
        begin: '2025-03-18',
        end: '2025-03-31',
        version: 11,
        formula: '建筑面积 × 单价',
        values: { 建筑面积: '98.65', 单价: '2.85' },
        days: 14,
        factor: '14/31',
      },
    ],
  })
  expect(describePeriodBills(standard(), toPeriod('2025-02-15', '2025-02-28'))[0]).toEqual([
    14058,
    '98.65 ㎡ × 2.85 元/㎡·月 × 14/28 月 = 140.58 元',
  ])
})

it('T-PRO-07 a price change makes one bill of two stretches', () => {
  const s = standard({
    versions: [
      { id: asId(11), from: '2020-01-01', to: '2025-04-10', price: '2.85' },
      { id: asId(12), from: '2025-04-11', price: '3.10' },
    ],
  })
  expect(describePeriodBills(s, toPeriod('2025-04-01', '2025-04-30'))).toEqual([
    [
      29759,
      '（04-01 至 04-10）98.65 ㎡ × 2.85 元/㎡·月 × 10/30 月 + （04-11 至 04-30）98.65 ㎡ × 3.1 元/㎡·月 × 20/30 月 = 297.59 元',
    ],
  ])
  expect(
    defined(
      describePeriodBills(
        s,
        toPeriod('2025-04-01', '2025-04-30'),
        room(),
        relation(),
        '2025-03-18',
        '2025-04-01',
      )[0],
    )[0],
  ).toBe(28115)
})

it('PRO-7 an area change cuts, a payer change makes two bills', () => {
  const grown = room(
    {},
    {
      facts: [
        { from: '2020-01-01', buildArea: '98.65' },
        { from: '2025-03-21', buildArea: '108.65' },
      ],
    },
  )
  expect(describePeriodBills(standard(), marchPeriod, grown)).toEqual([
    [
      29127,
      '（03-01 至 03-20）98.65 ㎡ × 2.85 元/㎡·月 × 20/31 月 + （03-21 至 03-31）108.65 ㎡ × 2.85 元/㎡·月 × 11/31 月 = 291.27 元',
    ],
  ])
  const sold = room(
    {},
    {
      payers: [
        { from: '2020-01-01', payer: 5 },
        { from: '2025-03-11', payer: 6 },
      ],
    },
  )
  const result = computePeriodBills(
    prepareStandard(standard({ mode: 'whole' })),
    relation(),
    sold,
    marchPeriod,
    '2025-03-01',
  )
  expect(result.drawn?.map(d => [d.begin, d.end, d.payer, d.amount])).toEqual([
    ['2025-03-01', '2025-03-10', 5, 9069],
    ['2025-03-11', '2025-03-31', 6, 19046],
  ])
  expect(
    computePeriodBills(
      prepareStandard(standard()),
      relation({ payer: 9 }),
      sold,
      marchPeriod,
      '2025-03-01',
    ).drawn?.map(d => d.payer),
  ).toEqual([9])
})

it('FEE-24 an extra is charged apart, by days only when set so', () => {
  expect(
    describePeriodBills(standard({ version: { extra: '5' } }), toPeriod('2025-03-18', '2025-03-31')),
  ).toEqual([[13197, '98.65 ㎡ × 2.85 元/㎡·月 × 14/31 月 + 附加费 5 元/月 × 1 月 = 131.97 元']])
  expect(
    describePeriodBills(
      standard({ version: { extra: '5', extraProrate: true } }),
      toPeriod('2025-03-18', '2025-03-31'),
    ),
  ).toEqual([[12923, '98.65 ㎡ × 2.85 元/㎡·月 × 14/31 月 + 附加费 5 元/月 × 14/31 月 = 129.23 元']])
  expect(
    defined(
      describePeriodBills(standard({ version: { extra: '5' } }), toPeriod('2025-03-18', '2025-06-30'))[0],
    )[0],
  ).toBe(97043 + 2000)
})

it('CYC-7 free days are left out; all free is no bill', () => {
  const free = [toPeriod('2025-03-10', '2025-03-20')]
  expect(describePeriodBills(standard(), marchPeriod, room(), relation({ free }))[0]).toEqual([
    18139,
    '98.65 ㎡ × 2.85 元/㎡·月 × 20/31 月（免收 11 天）= 181.39 元',
  ])
  // A price that changes within the free days: each stretch says how many of its own are free.
  const turned = standard({
    formulaType: 'fixed',
    versions: [
      { id: asId(11), from: '2020-01-01', to: '2025-03-14', price: '100' },
      { id: asId(12), from: '2025-03-15', price: '160' },
    ],
  })
  expect(describePeriodBills(turned, marchPeriod, room(), relation({ free }))[0]).toEqual([
    8581,
    '（03-01 至 03-14）100 元/月 × 9/31 月（免收 5 天） + （03-15 至 03-31）160 元/月 × 11/31 月（免收 6 天）= 85.81 元',
  ])
  expect(
    describePeriodBills(
      standard(),
      marchPeriod,
      room(),
      relation({ free: [toPeriod('2025-02-01', '2025-04-30')] }),
    ),
  ).toEqual(['freePeriod', undefined])
})

it('FEE-2 the least and the most of a line', () => {
  expect(describePeriodBills(standard({ min: asFen(30000) }), marchPeriod)[0]).toEqual([
    30000,
    '98.65 ㎡ × 2.85 元/㎡·月 × 1 月 = 281.1525 元，低于最低收费 300.00 元，收 300.00 元',
  ])
  expect(describePeriodBills(standard({ max: asFen(20000) }), marchPeriod)[0]).toEqual([
    20000,
    '98.65 ㎡ × 2.85 元/㎡·月 × 1 月 = 281.1525 元，高于最高收费 200.00 元，收 200.00 元',
  ])
  expect(
    defined(describePeriodBills(standard({ min: asFen(28115), max: asFen(28116) }), marchPeriod)[0])[1],
  ).toBe('98.65 ㎡ × 2.85 元/㎡·月 × 1 月 = 281.15 元')
  expect(
    defined(
      describePeriodBills(
        standard({ min: asFen(30000), max: asFen(30000), version: { price: '3' } }),
        marchPeriod,
        room({ buildArea: '100' }),
      )[0],
    )[1],
  ).toBe('100 ㎡ × 3 元/㎡·月 × 1 月 = 300.00 元')
  expect(
    describePeriodBills(standard({ min: asFen(30000), mode: 'none' }), toPeriod('2025-03-18', '2025-03-31')),
  ).toEqual(['amountZero', undefined])
})

it('FEE-2, PRO-7 the least and the most are a period’s: payers who follow each other share them, and pay them together once', () => {
  const sold = (from: Day) =>
    room(
      {},
      {
        payers: [
          { from: '2020-01-01', payer: 5 },
          { from, payer: 6 },
        ],
      },
    )
  const bills = (overrides: Partial<Standard>, from: Day) =>
    defined(
      computePeriodBills(
        prepareStandard(standard(overrides)),
        relation(),
        sold(from),
        marchPeriod,
        '2025-03-01',
      ).drawn,
    ).map(d => d.amount)
  // 300.00 × 10/31 = 96.774…, 300.00 × 21/31 = 203.225…: the odd fen goes to the greater rest.
  expect([
    bills({ min: asFen(30000) }, '2025-03-11'),
    bills({ max: asFen(20000) }, '2025-03-11'),
    bills({ min: asFen(30000) }, '2025-03-31'),
    bills({ min: asFen(30000) }, '2025-03-01'),
  ]).toEqual([[9677, 20323], [6452, 13548], [29032, 968], [30000]])
  expect(describePeriodBills(standard({ min: asFen(30000) }), marchPeriod, sold('2025-03-11'))[0]).toEqual([
    9677,
    '98.65 ㎡ × 2.85 元/㎡·月 × 10/31 月 = 90.6943548387 元，低于按天数分到的最低收费 96.77 元，收 96.77 元',
  ])
  expect(bills({ min: asFen(30000), mode: 'none' }, '2025-03-11')).toEqual([9677, 20323])
})

it('C2.2 every type that counts time', () => {
  expect(
    describePeriodBills(standard({ formulaType: 'fixed', version: { price: '30' } }), marchPeriod),
  ).toEqual([[3000, '30 元/月 × 1 月 = 30.00 元']])
  expect(
    describePeriodBills(
      standard({ formulaType: 'fixed', version: { price: '30' } }),
      marchPeriod,
      room(),
      relation({ ratio: '0.7' }),
    ),
  ).toEqual([[2100, '30 元/月 × 系数 0.7 × 1 月 = 21.00 元']])
  expect(
    describePeriodBills(
      standard({ formulaType: 'quantity', quantityKind: 'people', version: { price: '10' } }),
      marchPeriod,
      room({ people: 3 }),
    ),
  ).toEqual([[3000, '3 人 × 10 元/人·月 × 1 月 = 30.00 元']])
  expect(
    describePeriodBills(
      standard({ formulaType: 'quantity', quantityKind: 'manual', version: { price: '10' } }),
      marchPeriod,
      room(),
      relation({ quantity: '2.5' }),
    ),
  ).toEqual([[2500, '2.5 × 10 元/月 × 1 月 = 25.00 元']])
  expect(
    describePeriodBills(
      standard({ formulaType: 'area', version: { price: '1' } }),
      marchPeriod,
      room(),
      relation({ price: '2', ratio: '0.5' }),
    ),
  ).toEqual([[9865, '98.65 ㎡ × 2 元/㎡·月 × 系数 0.5 × 1 月 = 98.65 元']])
  expect(defined(describePeriodBills(standard({ areaKind: 'charge' }), marchPeriod)[0])[0]).toBe(28115)
  expect(
    describePeriodBills(
      standard({
        formulaType: 'fixed',
        cycle: { type: 'once', months: 1, alignYear: false },
        version: { price: '500' },
      }),
      toPeriod('2025-03-18', '2025-03-18'),
    ),
  ).toEqual([[50000, '500 元 = 500.00 元']])
})

it('FEE-20 a formula of one’s own; 月数 and 天数 count the time themselves, 当月天数 month by month', () => {
  const customFormula = (
    expression: string,
    overrides: Partial<Standard> & { version?: Partial<PriceVersion> } = {},
  ) => standard({ formulaType: 'custom', expression, ...overrides })
  expect(
    describePeriodBills(customFormula('IF(L<=1,0,MIN(70,30+(L-2)*5))'), marchPeriod, room({ floor: 5 })),
  ).toEqual([
    [
      4500,
      '楼层不超过 1 时取 0，否则取 70、30 + (楼层 - 2) × 5 中较小的数（楼层 5），得 45 元/月 × 1 月 = 45.00 元',
    ],
  ])
  expect(
    describePeriodBills(customFormula('IF(L<=1,0,MIN(70,30+(L-2)*5))'), marchPeriod, room({ floor: 1 })),
  ).toEqual(['amountZero', undefined])
  expect(describePeriodBills(customFormula('S*P*M'), toPeriod('2025-03-18', '2025-06-30'))).toEqual([
    [
      97043,
      '公式：建筑面积 × 单价 × 月数（建筑面积 98.65、单价 2.85、月数 3+14/31），得 970.4295967742 元 = 970.43 元',
    ],
  ])
  expect(defined(describePeriodBills(customFormula('P*D'), toPeriod('2025-03-18', '2025-04-10'))[0])[0]).toBe(
    6840,
  )
  expect(
    defined(describePeriodBills(customFormula('S*P*D/DM'), toPeriod('2025-03-18', '2025-06-30'))[0])[0],
  ).toBe(97043)
  expect(
    defined(
      describePeriodBills(
        customFormula('IF(S>100,电梯费,0)+A[朝向]', { parameters: ['电梯费'] }),
        marchPeriod,
        room({ attributes: { 朝向: '2' } }),
      )[0],
    )[0],
  ).toBe(200)
  expect(
    defined(
      describePeriodBills(
        customFormula('电梯费', { parameters: ['电梯费'], version: { params: { 电梯费: '12.5' } } }),
        marchPeriod,
      )[0],
    )[0],
  ).toBe(1250)
})

it('LEA-3 rent rises step by step, rounded, and cuts the period', () => {
  const lease = room({}, { rent: { from: '2023-01-15', rent: '10000', every: 12, rate: '0.05' } })
  const s = standard({ formulaType: 'risingRent' })
  const at = (begin: Day, end: Day) => amountsOf(s, toPeriod(begin, end), lease)
  expect([
    at('2023-02-01', '2023-02-28'),
    at('2024-02-01', '2024-02-29'),
    at('2025-02-01', '2025-02-28'),
    at('2026-02-01', '2026-02-28'),
  ]).toEqual([[1000000], [1050000], [1102500], [1157625]])
  expect(defined(describePeriodBills(s, toPeriod('2024-01-01', '2024-01-31'), lease)[0])[1]).toBe(
    '（01-01 至 01-14）10,000 元/月 × 14/31 月 + （01-15 至 01-31）10,500 元/月 × 17/31 月 = 10,274.19 元',
  )
})

const reading = (overrides: Partial<Reading> = {}): Reading => ({
  id: asId(7),
  begin: '2025-03-01',
  end: '2025-03-31',
  last: '1218',
  current: '1250',
  multiplier: '1',
  usage: '32',
  ...overrides,
})

const tiers = { tiers: [{ to: '15', price: '2.80' }, { to: '25', price: '4.20' }, { price: '8.40' }] }

const describeReadingBill = (s: Standard, r: Partial<Reading> = {}, source = room()) => {
  const result = computeReadingBill(prepareStandard(s), relation(), source, reading(r))
  for (const d of result.drawn ?? []) {
    expect(recompute(d.snapshot)).toBe(d.amount)
  }
  return result.drawn
    ? [defined(result.drawn[0]).amount, explainAmount(defined(result.drawn[0]).snapshot)]
    : [result.skipped.reason, result.skipped.detail]
}

it('T-MTR-04 tiers by meter, as text', () => {
  expect(describeReadingBill(standard({ formulaType: 'tiers', usageUnit: '吨', version: tiers }))).toEqual([
    14280,
    '15 吨 × 2.8 元/吨 + 10 吨 × 4.2 元/吨 + 7 吨 × 8.4 元/吨（本期 1250，上期 1218）= 142.80 元',
  ])
  expect(
    describeReadingBill(standard({ formulaType: 'usage', usageUnit: '吨', version: { price: '3.5' } }), {
      multiplier: '40',
    }),
  ).toEqual([11200, '32 吨 × 3.5 元/吨（本期 1250，上期 1218，倍率 40）= 112.00 元'])
})

it('FEE-8 a usage is explained with all its parts: rollover, replaced meter, loss, correction', () => {
  const s = standard({ formulaType: 'usage', usageUnit: '吨', version: { price: '2' } })
  expect(
    describeReadingBill(s, {
      last: '5',
      current: '9',
      multiplier: '2',
      usage: '15',
      beside: { replaced: '7' },
    }),
  ).toEqual([3000, '15 吨 × 2 元/吨（本期 9，上期 5，倍率 2，另有换表前用量 7）= 30.00 元'])
  expect(
    describeReadingBill(s, {
      last: '99980',
      current: '15',
      usage: '26',
      beside: { top: '100000', loss: '3', credit: '12' },
    })[1],
  ).toBe('26 吨 × 2 元/吨（本期 15，上期 99980，过 100000 翻表，损耗 3，减去以前估抄多计 12）= 52.00 元')
})

it('MTR-14 heads raise the bounds, long periods stretch them, a year adds up', () => {
  expect(
    describeReadingBill(
      standard({ formulaType: 'tiers', version: { ...tiers, perHeadAdd: '5', headsFrom: 4 } }),
      {},
      room({ people: 6 }),
    )[0],
  ).toBe(25 * 280 + 7 * 420)
  expect(
    describeReadingBill(standard({ formulaType: 'tiers', version: tiers }), {
      begin: '2025-02-01',
      end: '2025-03-31',
    })[1],
  ).toBe('29.5 × 2.8 元 + 2.5 × 4.2 元（本期 1250，上期 1218）= 93.10 元')
  expect(
    describeReadingBill(standard({ formulaType: 'tiers', version: tiers, tiersStretch: false }), {
      begin: '2025-02-01',
      end: '2025-03-31',
    })[0],
  ).toBe(14280)
  expect(
    describeReadingBill(standard({ formulaType: 'tiers', version: { ...tiers, tierBase: 'year' } }), {
      usedBefore: '12',
      usage: '10',
    }),
  ).toEqual([3 * 280 + 7 * 420, '3 × 2.8 元 + 7 × 4.2 元（本期 1250，上期 1218）= 37.80 元'])
})

it('MTR-15 by time of use each register is billed by its own price; the rest by the standard’s, a correction off the dearest', () => {
  const s = standard({ formulaType: 'usage', usageUnit: '度', version: { price: '0.5', extra: '3' } })
  const r = (name: string, usage: string, price: string) => ({
    name,
    last: '100',
    current: '110',
    usage,
    price,
  })
  const four = [r('尖', '2', '1.2'), r('峰', '10', '1'), r('平', '20', '0.6'), r('谷', '30', '0.3')]
  // 2 × 1.2 + 10 + 12 + 9 = 33.4, and the extra of 3 once
  expect(describeReadingBill(s, { usage: '62', registers: four })).toEqual([
    3640,
    '尖 2 度 × 1.2 元/度 + 附加费 3 元（本期 110，上期 100） + 峰 10 度 × 1 元/度（本期 110，上期 100） + 平 20 度 × 0.6 元/度（本期 110，上期 100） + 谷 30 度 × 0.3 元/度（本期 110，上期 100）= 36.40 元',
  ])
  const plain = standard({ formulaType: 'usage', version: { price: '0.5' } })
  // 8 of loss at 0.5; 5 too much before: two of 尖 and three of 峰 go.
  expect([
    describeReadingBill(plain, { usage: '70', registers: four })[0],
    describeReadingBill(plain, { usage: '57', registers: four })[0],
  ]).toEqual([3740, 2800])
  // Without any price of their own, and by tiers, the total counts.
  expect(
    describeReadingBill(plain, { usage: '62', registers: four.map(x => ({ ...x, price: '0' })) })[0],
  ).toBe(3100)
  const line = toPlannedLine(
    plain,
    asId(3),
    defined(
      defined(
        computeReadingBill(
          prepareStandard(plain),
          relation(),
          room(),
          reading({ usage: '62', registers: four }),
        ).drawn,
      )[0],
    ),
    '2025-04-01',
    asId(7),
  )
  expect([line.quantity, line.price]).toEqual(['62', undefined])
})

it('PRO-5 meters, shares and single fees know no days', () => {
  const usage = (begin: Day, end: Day) =>
    describeReadingBill(standard({ formulaType: 'usage', mode: 'actual', version: { price: '3.5' } }), {
      begin,
      end,
    })[0]
  expect([
    usage('2025-03-01', '2025-03-31'),
    usage('2025-03-10', '2025-03-12'),
    usage('2025-01-05', '2025-03-31'),
  ]).toEqual([11200, 11200, 11200])
  expect(
    describePeriodBills(
      standard({
        cycle: { type: 'once', months: 1, alignYear: false },
        formulaType: 'fixed',
        version: { price: '50' },
      }),
      toPeriod('2025-03-20', '2025-03-21'),
    ),
  ).toEqual([[5000, '50 元 = 50.00 元']])
})

it('FEE-8 the snapshot holds formula, values, version, days, factor, the amount before rounding and how it was rounded', () => {
  const result = defined(
    defined(
      computePeriodBills(
        prepareStandard(standard()),
        relation(),
        room(),
        toPeriod('2025-03-18', '2025-03-31'),
        '2025-03-18',
      ).drawn,
    )[0],
  ).snapshot
  expect(result).toEqual({
    type: 'area',
    mode: 'actual',
    parts: [
      {
        begin: '2025-03-18',
        end: '2025-03-31',
        version: 11,
        formula: '建筑面积 × 单价',
        values: { 建筑面积: '98.65', 单价: '2.85' },
        days: 14,
        factor: '14/31',
      },
    ],
    exact: '126.9720967742',
    rounding: { type: 'halfUp', unit: 'fen' },
    amount: 12697,
  })
})

it('T-MTR-07 no base is no bill; nor is a doubtful reading, a missing price or a usage of zero', () => {
  const s = standard({ formulaType: 'usage', version: { price: '3.5' } })
  expect(
    [
      describeReadingBill(s, { last: undefined, current: '1234' }),
      describeReadingBill(s, { doubtful: true }),
      describeReadingBill(s, { usage: undefined }),
      describeReadingBill(s, { usage: '0' }),
    ].map(x => x[0]),
  ).toEqual(['meterBaseMissing', 'meterReadingMissing', 'meterReadingMissing', 'amountZero'])
  expect(describeReadingBill(standard({ formulaType: 'tiers', version: {} }))).toEqual([
    'priceMissing',
    '阶梯标准未填写各档单价',
  ])
  expect(
    describeReadingBill(
      standard({
        formulaType: 'tiers',
        version: { tiers: [{ to: '15', price: '1' }, { to: '10', price: '2' }, { price: '3' }] },
      }),
    )[1],
  ).toContain('逐档增大')
  expect(
    describeReadingBill(
      standard({ formulaType: 'usage', versions: [{ id: asId(1), from: '2026-01-01', price: '1' }] }),
    ),
  ).toEqual(['priceMissing', '2025-03-31 没有生效的价格'])
})

it('GEN-6 what is missing is reported, never taken for zero', () => {
  const s = standard()
  expect(
    [
      describePeriodBills(s, marchPeriod, room({ buildArea: undefined })),
      describePeriodBills(s, marchPeriod, room({ buildArea: '0.00' })),
      describePeriodBills(standard({ version: { price: undefined } }), marchPeriod),
    ].map(x => x[0]),
  ).toEqual(['areaMissing', 'areaMissing', 'priceMissing'])
  const customFormula = (expression: string, facts: Partial<SourceFacts> = {}) =>
    describePeriodBills(standard({ formulaType: 'custom', expression }), marchPeriod, room(facts))
  expect(customFormula('S/L', { floor: 0 })).toEqual(['formulaInvalid', '除数为零'])
  expect(customFormula('S/L')).toEqual(['formulaInvalid', '缺少“楼层”'])
  expect(customFormula('S-1000')).toEqual(['formulaInvalid', '计算结果为负数'])
  expect(customFormula('S＋1')[0]).toBe('formulaInvalid')
  expect(describePeriodBills(standard({ version: { price: '99999999' } }), marchPeriod)[0]).toBe(
    'formulaInvalid',
  )
  expect(describePeriodBills(standard({ formulaType: 'rent' }), marchPeriod)[0]).toBe('priceMissing')
})

const day = fc.integer({ min: 18_000, max: 21_000 }).map(fromEpochDays)

const dec = (max: number, scale: number) =>
  fc.tuple(fc.nat(max), fc.nat(10 ** scale - 1)).map(([a, b]) => `${a}.${String(b).padStart(scale, '0')}`)

it('any area, price, dates, mode, cuts and free ranges: the snapshot recomputes, payers’ bills adjoin', () => {
  fc.assert(
    fc.property(
      day,
      fc.nat(400),
      dec(400, 4),
      dec(20, 6),
      dec(20, 6),
      dec(9, 2),
      fc.nat(400),
      fc.nat(400),
      fc.nat(400),
      fc.nat(60),
      fc.constantFrom<Standard['mode'][]>('actual', 'thirty', 'year', 'whole', 'half', 'none'),
      fc.constantFrom('natural', 'anniversary'),
      fc.constantFrom('halfUp', 'up', 'down', 'halfEven'),
      fc.boolean(),
      (begin, n, area, one, two, extra, cut, sold, freeFrom, freeDays, mode, type, round, prorate) => {
        const period = toPeriod(begin, addDays(begin, n))
        const turn = addDays(begin, cut)
        const s = standard({
          mode,
          cycle: { type, months: 1, alignYear: false },
          rounding: { type: round, unit: 'fen' },
          versions: [
            {
              id: asId(1),
              from: '2000-01-01',
              to: addDays(turn, -1),
              price: one,
              extra,
              extraProrate: prorate,
            },
            { id: asId(2), from: turn, price: two },
          ],
        })
        const source = room(
          { buildArea: area },
          {
            payers: [
              { from: '2000-01-01', payer: 1 },
              { from: addDays(begin, sold), payer: 2 },
            ],
          },
        )
        const result = computePeriodBills(
          prepareStandard(s),
          relation({ free: [toPeriod(addDays(begin, freeFrom), addDays(begin, freeFrom + freeDays))] }),
          source,
          period,
          begin,
        )
        result.drawn?.forEach((d, i) => {
          expect(recompute(JSON.parse(JSON.stringify(d.snapshot)))).toBe(d.amount)
          expect(explainAmount(d.snapshot)).toContain(`${displayYuan(d.amount)} 元`)
          expect(
            d.begin >= period.begin &&
              d.end <= period.end &&
              (i === 0 || d.begin > defined(result.drawn[i - 1]).end),
          ).toBe(true)
        })
      },
    ),
    { numRuns: 400 },
  )
})

it('PRO-7 a later price cuts a period though the one before has no end', () => {
  const versions = [
    { id: asId(11), from: '2020-01-01', price: '2' },
    { id: asId(12), from: '2025-03-11', price: '4' },
  ] as const
  const twoPrices = standard({ versions, mode: 'actual' })
  const area = room({ buildArea: '100' })
  expect(describePeriodBills(twoPrices, marchPeriod, area)).toEqual([
    [
      33548,
      '（03-01 至 03-10）100 ㎡ × 2 元/㎡·月 × 10/31 月 + （03-11 至 03-31）100 ㎡ × 4 元/㎡·月 × 21/31 月 = 335.48 元',
    ],
  ])
  // TMP-2: charged ahead at one day's price, the period stays whole.
  expect(describePeriodBills(twoPrices, marchPeriod, area, relation(), '2025-03-01', '2025-03-20')).toEqual([
    [40000, '100 ㎡ × 4 元/㎡·月 × 1 月 = 400.00 元'],
  ])
})

it('before its first payer an object is its first payer’s', () => {
  const payers = [
    { from: '2025-03-10', payer: 5 },
    { from: '2025-06-01', payer: 6 },
  ] as const
  const days: readonly Day[] = ['2025-01-01', '2025-03-10', '2025-05-31', '2025-06-01']
  expect(days.map(d => payerOn(relation(), room({}, { payers }), d))).toEqual([5, 5, 5, 6])
  expect(payerOn(relation(), room({}, { payers: [] }), '2025-01-01')).toBeUndefined()
})

it('PRO-7, GEN-6 days after the last price has ended are not charged by it', () => {
  const ended = standard({
    versions: [{ id: asId(11), from: '2020-01-01', to: '2025-03-15', price: '2.85' }],
  })
  expect(describePeriodBills(ended, marchPeriod)).toEqual(['priceMissing', '2025-03-16 没有生效的价格'])
})

it('CYC-7 free days that begin on the last day or end on the first are left out', () => {
  const fixed = standard({ formulaType: 'fixed', version: { price: '310' } })
  const amountWith = (...free: Period[]) => amountsOf(fixed, marchPeriod, room(), relation({ free }))
  expect([
    amountWith(toPeriod('2025-03-31', '2025-04-10')),
    amountWith(toPeriod('2025-02-10', '2025-03-01')),
    amountWith(toPeriod('2025-02-10', '2025-02-28'), toPeriod('2025-04-01', '2025-04-10')),
  ]).toEqual([[30000], [30000], [31000]])
})

it('CYC-7 free days need no price', () => {
  const later = standard({
    formulaType: 'fixed',
    versions: [{ id: asId(11), from: '2025-03-11', price: '310' }],
  })
  const free = [toPeriod('2025-03-01', '2025-03-10')]
  expect(amountsOf(later, marchPeriod, room(), relation({ free }))).toEqual([21000])
})

it('GEN-6 one fen is a bill, less than half a fen is none', () => {
  const bills = (price: string) =>
    amountsOf(standard({ formulaType: 'fixed', version: { price } }), marchPeriod)
  expect([bills('0.01'), bills('0.004')]).toEqual([[1], ['amountZero', undefined]])
  // Two payers: the one whose part is nothing gets no bill.
  const sold = room(
    {},
    {
      payers: [
        { from: '2020-01-01', payer: 5 },
        { from: '2025-03-31', payer: 6 },
      ],
    },
  )
  expect(
    amountsOf(standard({ formulaType: 'fixed', version: { price: '0.01' } }), marchPeriod, sold),
  ).toEqual([1])
})

it('GEN-6 a formula that cannot be read is reported with its fault, for periods and readings', () => {
  const unreadable = standard({ formulaType: 'custom', expression: 'S*(P' })
  const skipped = describePeriodBills(unreadable, marchPeriod)
  expect(skipped).toEqual(['formulaInvalid', prepareStandard(unreadable).fault])
  expect(describeReadingBill(unreadable)).toEqual(skipped)
})

it('PRO-1, PRO-2 a standard prepared once charges each object of a run by its own months', () => {
  const amountOf = (prepared: ReturnType<typeof prepareStandard>, period: Period, start: Day) =>
    computePeriodBills(prepared, relation(), room(), period, start).drawn?.map(bill => bill.amount)
  const byMonthDays = prepareStandard(standard({ formulaType: 'custom', expression: 'S*P*D/DM' }))
  const period = toPeriod('2025-03-18', '2025-06-30')
  expect([amountOf(byMonthDays, period, '2025-03-18'), amountOf(byMonthDays, period, '2025-03-18')]).toEqual([
    [97043],
    [97043],
  ])
  // A month from the 1st has 31 days, one from the 18th of February 28.
  const anniversary = prepareStandard(
    standard({
      formulaType: 'fixed',
      cycle: { type: 'anniversary', months: 1, alignYear: false },
      version: { price: '868' },
    }),
  )
  const days = toPeriod('2025-03-01', '2025-03-10')
  expect([amountOf(anniversary, days, '2025-03-01'), amountOf(anniversary, days, '2025-02-18')]).toEqual([
    [28000],
    [31000],
  ])
})

it('MTR-15 what made the usage besides the two numbers stands with the rest, not with a register', () => {
  const plain = standard({ formulaType: 'usage', version: { price: '0.5' } })
  const register = (name: string, usage: string, price: string, current: string) => ({
    name,
    last: '100',
    current,
    usage,
    price,
  })
  const registers = [register('峰', '10', '1', '1250'), register('谷', '30', '0', '130')]
  expect(describeReadingBill(plain, { usage: '48', registers, beside: { loss: '8' } })).toEqual([
    2900,
    '峰 10 × 1 元（本期 1250，上期 100） + 谷 30 × 0.5 元（本期 130，上期 100） + 其他 8 × 0.5 元（本期 1250，上期 1218，损耗 8）= 29.00 元',
  ])
})

it('a standard whose formula has no period is not charged by one', () => {
  expect(describePeriodBills(standard({ formulaType: 'times' }), marchPeriod)).toEqual([
    'formulaInvalid',
    '这种公式不按周期计算',
  ])
})
