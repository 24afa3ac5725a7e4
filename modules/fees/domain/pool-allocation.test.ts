import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import {
  computeCorrection,
  poolRefusal,
  allocatePool,
  type PoolParticipant,
  type Pool,
} from './pool-allocation.ts'
import { explainAmount } from './amount-explanation.ts'
import { recompute } from './snapshot.ts'
import { formatTierStretch } from './tiers.ts'

const pool: Pool = {
  id: asId(9),
  month: '2025-03',
  weight: 'area',
  total: asFen(30000),
  vacantIncluded: true,
  dayWeight: false,
}

const participants = (...weights: (string | undefined)[]): PoolParticipant[] =>
  weights.map((weight, i) => ({ relationId: asId(i + 1), weight, vacant: false }))

const shareAmounts = (p: Partial<Pool>, list: readonly PoolParticipant[]): number[] =>
  allocatePool({ ...pool, ...p }, list).shares.map(s => s.amount)

it('T-SHR-01, T-SHR-02 to the fen, by area and by household', () => {
  expect(shareAmounts({}, participants('88.56', '120.33', '67.20'))).toEqual([9623, 13075, 7302])
  expect(
    shareAmounts({ total: asFen(10000), weight: 'household' }, participants(undefined, undefined, undefined)),
  ).toEqual([3334, 3333, 3333])
  expect(
    allocatePool(pool, participants('88.56', '120.33', '67.20')).shares.map(s =>
      explainAmount(s.snapshot),
    )[0],
  ).toBe('公摊总额 300.00 元 × 88.56 ㎡ ÷ 276.09 ㎡ = 96.23 元')
  expect(
    allocatePool(
      { ...pool, total: asFen(10000), weight: 'household' },
      participants(undefined, undefined, undefined),
    ).shares.map(s => explainAmount(s.snapshot))[0],
  ).toBe('公摊总额 100.00 元 × 1 户 ÷ 3 户，尾差 +0.01 元 = 33.34 元')
})

it('SHR-2 shares by area, household, usage, people, factor and floor, each in its own words', () => {
  const by = (weight: Pool['weight']) =>
    allocatePool(
      { id: asId(1), month: '2025-03', weight, total: asFen(10_000), vacantIncluded: true, dayWeight: false },
      [
        { relationId: asId(1), weight: '1', vacant: false },
        { relationId: asId(2), weight: '3', vacant: false },
      ],
    )
  expect(
    (['area', 'household', 'usage', 'people', 'factor', 'floor'] as const).map(w => [
      ...by(w).shares.map(x => x.amount),
      defined(defined(by(w).shares[1]).snapshot.share).unit,
    ]),
  ).toEqual([
    [2500, 7500, '㎡'],
    [5000, 5000, '户'],
    [2500, 7500, ''],
    [2500, 7500, '人'],
    [2500, 7500, ''],
    [2500, 7500, '层'],
  ])
})

it('T-SHR-05 a pool that has been billed is not shared again', () => {
  expect(() => allocatePool({ ...pool, billed: 'unpaid' }, participants('1', '1', '1', '1', '1'))).toThrow(
    '公摊已生成',
  )
  expect(poolRefusal({ ...pool, billed: 'paid' })).toContain('更正公摊池')
  expect(computeCorrection(asFen(30000), asFen(36000))).toBe(6000)
})

it('SHR-1, SHR-4, SHR-6 the total, who takes part and for how long', () => {
  expect(shareAmounts({ total: undefined, usage: '120.5', price: '0.56' }, participants('1'))).toEqual([6748])
  expect(poolRefusal({ ...pool, total: undefined })).toContain('缺公摊总额')
  const result = allocatePool({ ...pool, vacantIncluded: false }, [
    ...participants('10', undefined, '0', '-3', '20'),
    { relationId: asId(6), weight: '5', vacant: true },
  ])
  expect([
    result.shares.map(s => [s.relationId, s.amount]),
    result.excluded.map(l => [l.relationId, l.reason]),
  ]).toEqual([
    [
      [1, 10000],
      [5, 20000],
    ],
    [
      [2, 'weightMissing'],
      [3, 'weightMissing'],
      [4, 'weightMissing'],
      [6, 'vacant'],
    ],
  ])
  expect(() => allocatePool(pool, [])).toThrow('无可分摊房屋')
  const part = [
    { ...defined(participants('10')[0]), range: { begin: '2025-03-22', end: '2025-05-01' } as const },
    { ...defined(participants('10', '10')[1]) },
    {
      relationId: asId(3),
      weight: '10',
      vacant: false,
      range: { begin: '2025-04-01', end: '2025-05-01' } as const,
    },
  ]
  expect(shareAmounts({ dayWeight: true, total: asFen(4100) }, part)).toEqual([1000, 3100])
})

it('shares sum to the pool, and each recomputes from its own snapshot', () => {
  const weight = fc.tuple(fc.nat(500), fc.nat(9999)).map(([a, b]) => `${a}.${b}`)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.array(fc.option(weight, { nil: undefined }), { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      (total, weights, dayWeight) => {
        fc.pre(weights.some(w => w !== undefined && /[1-9]/.test(w)))
        const result = allocatePool(
          { ...pool, total: asFen(total), dayWeight },
          weights.map((w, i) => ({
            relationId: asId(i),
            weight: w,
            vacant: false,
            range: { begin: '2025-03-02', end: '2025-03-20' },
          })),
        )
        expect(result.shares.reduce((n, s) => n + s.amount, 0)).toBe(total)
        for (const s of result.shares) {
          expect(recompute(s.snapshot)).toBe(s.amount)
        }
        expect(result.shares.length + result.excluded.length).toBe(weights.length)
      },
    ),
  )
})

it('MTR-14 twenty to forty days are a month', () => {
  const days = (n: number): string =>
    formatTierStretch({ begin: '2025-03-01', end: addDays('2025-03-01', n - 1) }, true)
  expect([19, 20, 40, 41].map(days)).toEqual(['×19÷30', '', '', '×41÷30'])
})
