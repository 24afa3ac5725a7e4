import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addMinutes, addSeconds, type Moment } from '#kit/domain/moment.ts'
import { asFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { FeeTerms } from './fee-terms.ts'
import { feeOfMinutes, feeOfStay } from './stay-fee.ts'
import { topUp } from './top-up.ts'

const yuan = (amount: number): Fen => asFen(Math.round(amount * 100))

/** R1 of the rules: free 30, first 60 → 5, each 60 → 2, cap 20 for 24 hours. */
const terms: FeeTerms = {
  freeMinutes: 30,
  isFreeIncluded: false,
  firstMinutes: 60,
  firstFee: yuan(5),
  stepMinutes: 60,
  stepFee: yuan(2),
  capType: 'hours',
  capFee: yuan(20),
  isFirstEachBlock: true,
  leaveFreeMinutes: 15,
}

const morning: Moment = '2026-11-02 08:00:00'
const feeOf = (minutes: number, changes: Partial<FeeTerms> = {}, entry = morning) =>
  feeOfMinutes({ terms: { ...terms, ...changes } }, entry, minutes).fee / 100
const feesOf = (minutes: readonly number[], changes: Partial<FeeTerms> = {}) =>
  minutes.map(each => feeOf(each, changes))

it('T-PRK-01: free, first price, steps; exactly on a border is the lower block (PRK-20)', () => {
  expect(feesOf([25, 30, 31, 60, 61, 120, 121])).toEqual([0, 0, 5, 5, 7, 7, 9])
})

it('T-PRK-02: the cap of 24 hours', () => {
  expect(feesOf([480, 481, 600, 1440])).toEqual([19, 20, 20, 20])
})

it('T-PRK-03: the next 24 hours begin with the first price and without free minutes', () => {
  expect(feesOf([1441, 1500, 1501, 2880, 2881])).toEqual([25, 25, 27, 40, 45])
  expect(feesOf([1441, 1500, 1501], { isFirstEachBlock: false })).toEqual([22, 22, 24])
})

it('T-PRK-04: overnight by the cap of 24 hours, of natural days and of the stay (PRK-21)', () => {
  const evening: Moment = '2026-11-02 22:00:00'
  expect(feeOf(660, {}, evening)).toBe(20)
  expect(feeOf(660, { capType: 'day' }, evening)).toBe(27)
  const { blocks } = feeOfMinutes({ terms: { ...terms, capType: 'day' } }, evening, 660)
  expect(blocks).toEqual([
    expect.objectContaining({ from: evening, to: '2026-11-03 00:00:00', minutes: 120, fee: yuan(7) }),
    expect.objectContaining({ from: '2026-11-03 00:00:00', minutes: 540, fee: yuan(20), isCapped: true }),
  ])
  expect(blocks.map(block => block.reason)).toEqual([
    '首 60 分钟 5.00，每 60 分钟 2.00×1',
    '首 60 分钟 5.00，每 60 分钟 2.00×8，合计 21.00，按封顶 20.00',
  ])
  expect(feeOf(5000, { capType: 'stay' }, evening)).toBe(20)
})

it('T-PRK-05: after paying the stay is priced as a whole, less what was paid (PRK-22)', () => {
  const payment = { paid: yuan(9), paidAt: addMinutes(morning, 125) }
  const topUpAt = (minutes: number) =>
    topUp(yuan(feeOf(minutes)), payment, addMinutes(morning, minutes), terms.leaveFreeMinutes) / 100
  expect(feeOf(125)).toBe(9)
  expect([140, 160, 180, 181, 200].map(topUpAt)).toEqual([0, 0, 0, 2, 2])
})

it('a begun minute counts; an exit before the entry costs nothing', () => {
  const at = (seconds: number) => feeOfStay({ terms }, morning, addSeconds(morning, seconds)).fee / 100
  expect([1800, 1801, 3600, 3601, -600].map(at)).toEqual([0, 5, 5, 7, 0])
})

it('free minutes that stay free once exceeded (FreeIncluded)', () => {
  expect(feesOf([30, 31, 90, 91], { isFreeIncluded: true })).toEqual([0, 5, 5, 7])
  const { blocks } = feeOfMinutes({ terms: { ...terms, isFreeIncluded: true } }, morning, 91)
  expect(blocks[0]?.reason).toBe('免费 30 分钟，首 60 分钟 5.00，每 60 分钟 2.00×1')
})

it('a night is one price however much of it is parked, and once over midnight', () => {
  const night = { nightBegin: '20:00', nightEnd: '08:00', nightFee: yuan(6), freeMinutes: 0 } as const
  const evening: Moment = '2026-11-02 18:00:00'
  expect(feeOf(120, night, evening)).toBe(7)
  expect(feeOf(121, night, evening)).toBe(13)
  expect(feeOf(840, night, evening)).toBe(13)
  expect(feeOf(841, night, evening)).toBe(15)
  const { blocks } = feeOfMinutes({ terms: { ...terms, ...night, capType: 'day' } }, evening, 600)
  expect(blocks.map(block => [block.fee / 100, block.reason])).toEqual([
    [13, '首 60 分钟 5.00，每 60 分钟 2.00×1，夜间 6.00'],
    [0, '夜间已在前一段收取'],
  ])
  expect(feeOf(100, { ...night, nightBegin: '00:00', nightEnd: '06:00' }, '2026-11-02 01:00:00')).toBe(6)
})

it('a kind of car has a factor of all prices, half a fen up', () => {
  expect(feesOf([60, 61, 1440], { factorPercent: 150 })).toEqual([7.5, 10.5, 30])
  expect(feeOf(60, { factorPercent: 50, firstFee: asFen(333) })).toBe(1.67)
})

it('holidays have prices of their own, by the day on which a block begins', () => {
  const schedule = {
    terms: { ...terms, capType: 'day' as const },
    holidayTerms: { ...terms, capType: 'day' as const, firstFee: yuan(1), stepFee: 0 as const },
    isHoliday: (day: string) => day === '2026-11-03',
  }
  const { blocks, fee } = feeOfMinutes(schedule, '2026-11-02 23:00:00', 180)
  expect([fee, ...blocks.map(block => block.isHoliday)]).toEqual([yuan(6), false, true])
  expect(blocks[1]?.reason).toBe('节假日，首 60 分钟 1.00，每 60 分钟 0.00×1')
})

it('seconds of the entry do not make a day longer', () => {
  const { blocks } = feeOfMinutes({ terms: { ...terms, capType: 'day' } }, '2026-11-02 22:00:30', 1600)
  expect(blocks.map(block => block.minutes)).toEqual([120, 1440, 40])
})

const fee = fc.integer({ min: 0, max: 5000 }).map(asFen)
const clock = fc.integer({ min: 0, max: 1439 }).map(m => {
  const pad = (n: number) => String(n).padStart(2, '0')
  return `${pad(Math.floor(m / 60))}:${pad(m % 60)}`
})
const anyTerms: fc.Arbitrary<FeeTerms> = fc.record({
  freeMinutes: fc.integer({ min: 0, max: 120 }),
  isFreeIncluded: fc.boolean(),
  firstMinutes: fc.integer({ min: 0, max: 200 }),
  firstFee: fee,
  stepMinutes: fc.integer({ min: 1, max: 120 }),
  stepFee: fee,
  capType: fc.constantFrom('hours', 'day', 'stay'),
  capFee: fc.option(fee, { nil: undefined }),
  isFirstEachBlock: fc.boolean(),
  nightBegin: fc.option(clock, { nil: undefined }),
  nightEnd: clock,
  nightFee: fee,
  leaveFreeMinutes: fc.constant(15),
  factorPercent: fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined }),
})
const entries = fc.integer({ min: 0, max: 10_000_000 }).map(seconds => addSeconds(morning, seconds))
const lengths = fc.integer({ min: 0, max: 6000 })

it('a fee never falls with time, with holidays too', () => {
  fc.assert(
    fc.property(
      anyTerms,
      fc.option(anyTerms, { nil: undefined }),
      entries,
      lengths,
      lengths,
      (t, holiday, entry, a, b) => {
        const schedule = {
          terms: t,
          holidayTerms: holiday,
          isHoliday: (d: string) => Number(d.at(-1)) % 3 === 0,
        }
        const [short, long] = [Math.min(a, b), Math.max(a, b)]
        expect(feeOfMinutes(schedule, entry, short).fee).toBeLessThanOrEqual(
          feeOfMinutes(schedule, entry, long).fee,
        )
      },
    ),
  )
})

it('no block is above its cap, and the blocks are the whole: minutes and fee', () => {
  fc.assert(
    fc.property(anyTerms, entries, lengths, (t, entry, minutes) => {
      const plain = { ...t, factorPercent: undefined }
      const result = feeOfMinutes({ terms: plain }, entry, minutes)
      expect(sumFen(result.blocks.map(block => block.fee))).toBe(result.fee)
      expect(result.blocks.reduce((sum, block) => sum + block.minutes, 0)).toBe(minutes)
      for (const block of result.blocks) {
        expect(block.fee).toBeLessThanOrEqual(t.capFee ?? block.fee)
        expect(block.minutes).toBeLessThanOrEqual(t.capType === 'stay' ? minutes : 1440)
      }
    }),
  )
})

it('the sum of days is the whole: days that begin alike are priced one by one', () => {
  fc.assert(
    fc.property(anyTerms, lengths, (t, minutes) => {
      const midnight: Moment = '2026-11-02 00:00:00'
      const alike = {
        ...t,
        freeMinutes: 0,
        isFirstEachBlock: true,
        nightBegin: undefined,
        capType: 'day' as const,
      }
      const [days, rest] = [Math.floor(minutes / 1440), minutes % 1440]
      const feeFor = (m: number) => feeOfMinutes({ terms: alike }, midnight, m).fee
      expect(feeFor(minutes)).toBe(days * feeFor(1440) + feeFor(rest))
    }),
  )
})

it('what is paid and topped up is the fee of the whole stay once the time for leaving is over', () => {
  fc.assert(
    fc.property(anyTerms, entries, lengths, lengths, (t, entry, a, b) => {
      const [paidAt, leftAt] = [Math.min(a, b), Math.max(a, b)]
      const feeAt = (m: number) => feeOfMinutes({ terms: t }, entry, m).fee
      const payment = { paid: feeAt(paidAt), paidAt: addMinutes(entry, paidAt) }
      const more = topUp(feeAt(leftAt), payment, addMinutes(entry, leftAt), t.leaveFreeMinutes)
      expect(more).toBe(leftAt - paidAt <= t.leaveFreeMinutes ? 0 : feeAt(leftAt) - payment.paid)
    }),
  )
})
