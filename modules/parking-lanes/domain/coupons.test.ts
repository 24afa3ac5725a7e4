import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Moment } from '#kit/domain/moment.ts'
import { asFen, sumFen } from '#kit/domain/money.ts'
import { chooseCoupons, discountedFee, usesWithin, type Coupon } from './coupons.ts'
import type { FeeTerms } from './fee-terms.ts'

const terms: FeeTerms = {
  freeMinutes: 30,
  isFreeIncluded: false,
  firstMinutes: 60,
  firstFee: asFen(500),
  stepMinutes: 60,
  stepFee: asFen(200),
  capType: 'hours',
  capFee: asFen(2000),
  isFirstEachBlock: true,
  leaveFreeMinutes: 15,
}
const entry: Moment = '2026-11-02 08:00:00'

const coupon = (key: string, kind: Coupon['kind'], value = 0, changes: Partial<Coupon> = {}): Coupon => ({
  key,
  kind,
  value,
  parkId: 7,
  validTo: '2026-11-30',
  ...changes,
})
const context = { parkId: 7, day: '2026-11-02', plateNo: '粤B12345', maxCoupons: 3 } as const
const feeWith = (minutes: number, coupons: readonly Coupon[], maxCoupons = 3) =>
  discountedFee({ terms }, entry, minutes, chooseCoupons(coupons, { ...context, maxCoupons }).chosen)

it('coupons count in the order time, amount, percentage, whatever the order they come in (PRK-23)', () => {
  const coupons = [coupon('d', 'discount', 80), coupon('a', 'amount', 300), coupon('m', 'minutes', 60)]
  const { full, due, discount, uses } = feeWith(300, coupons)
  // 300 minutes are 13.00; 240 are 11.00; less 3.00 are 8.00; of which 80 % are 6.40
  expect([full.fee, due, discount]).toEqual([1300, 640, 660])
  expect(uses.map(use => [use.key, use.discount])).toEqual([
    ['m', 200],
    ['a', 300],
    ['d', 160],
  ])
})

it('a free coupon is used alone and takes all', () => {
  const coupons = [coupon('a', 'amount', 300), coupon('f', 'free')]
  expect(feeWith(300, coupons)).toMatchObject({ due: 0, uses: [{ key: 'f', discount: 1300 }] })
  expect(chooseCoupons(coupons, context).refused).toMatchObject([{ key: 'a', reason: '已使用免费券' }])
})

it('time comes off before pricing: what is left within the free minutes costs nothing', () => {
  expect(feeWith(150, [coupon('m', 'minutes', 120)]).due).toBe(0)
  expect(feeWith(151, [coupon('m', 'minutes', 120)]).due).toBe(500)
})

it('coupons of another lot, expired, of another plate or too many are refused with the reason', () => {
  const coupons = [
    coupon('lot', 'amount', 100, { parkId: 8 }),
    coupon('old', 'amount', 100, { validTo: '2026-11-01' }),
    coupon('plate', 'amount', 100, { plateNo: '粤B99999' }),
    coupon('today', 'amount', 100, { validTo: '2026-11-02', plateNo: '粤B12345' }),
    coupon('more', 'amount', 100),
  ]
  const { chosen, refused } = chooseCoupons(coupons, { ...context, maxCoupons: 1 })
  expect(chosen.map(each => each.key)).toEqual(['today'])
  expect(refused).toMatchObject([
    { key: 'lot', reason: '不是本车场的停车券' },
    { key: 'old', reason: '停车券已于 2026-11-01 到期' },
    { key: 'plate', reason: '停车券限 粤B99999 使用' },
    { key: 'more', reason: '一次最多使用 1 张' },
  ])
})

it('coupons never make a fee negative, and what they take off is what is missing', () => {
  const kinds = fc.constantFrom<Coupon['kind']>('free', 'minutes', 'amount', 'discount')
  const any = fc.array(fc.tuple(kinds, fc.integer({ min: 0, max: 5000 })), { maxLength: 6 })
  fc.assert(
    fc.property(any, fc.integer({ min: 0, max: 6000 }), (drawn, minutes) => {
      const coupons = drawn.map(([kind, value], i) => coupon(String(i), kind, value))
      const { full, due, discount, uses } = feeWith(minutes, coupons, 6)
      expect(due).toBeGreaterThanOrEqual(0)
      expect(due + discount).toBe(full.fee)
      expect(sumFen(uses.map(use => use.discount))).toBe(discount)
      expect(uses.every(use => use.discount >= 0)).toBe(true)
    }),
  )
})

it('coupons settle no more than is owed, and those that take nothing off are kept', () => {
  const uses = [
    { key: 'm', kind: 'minutes', discount: asFen(0) },
    { key: 'a', kind: 'amount', discount: asFen(300) },
    { key: 'b', kind: 'amount', discount: asFen(300) },
    { key: 'd', kind: 'discount', discount: asFen(200) },
  ] as const
  expect(usesWithin(uses, asFen(400)).map(use => [use.key, use.discount])).toEqual([
    ['m', 0],
    ['a', 300],
    ['b', 100],
  ])
  expect(usesWithin(uses, asFen(0))).toEqual([])
})
