import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asFen, type Fen } from '#kit/domain/money.ts'
import {
  cashTendered,
  isOffset,
  judgeTender,
  keptMoney,
  keptTenders,
  sumCounterTenders,
  type CounterInput,
  type RoundedDue,
} from './tender-sums.ts'

const exact = (pay: Fen): RoundedDue => ({ pay, off: 0 })

/** 223.58 with 抹分 (T-PAY-06). */
const rounded = { pay: asFen(22350), off: asFen(8) }

it('T-PAY-05, PAY-13: cash beyond the debt is change or prestore, other money is prestore', () => {
  const due = exact(asFen(61800))
  const outcomeOf = (cash: Fen, keepsChange: boolean) => {
    const { change, toPrestore } = judgeTender(due, { tendered: asFen(70000), cash, keepsChange })
    return { change, toPrestore }
  }
  expect(outcomeOf(asFen(70000), false)).toEqual({ change: 8200, toPrestore: 0 })
  expect(outcomeOf(asFen(70000), true)).toEqual({ change: 0, toPrestore: 8200 })
  expect(outcomeOf(0, false)).toEqual({ change: 0, toPrestore: 8200 })
  expect(outcomeOf(asFen(8200), false)).toEqual({ change: 8200, toPrestore: 0 })
  expect(outcomeOf(asFen(8199), false)).toEqual({ change: 0, toPrestore: 8200 })
})

it('T-PAY-06, PAY-14: the odd fen are let off when the rest is paid, and not of a partial payment', () => {
  const money = { cash: 0, keepsChange: false } as const
  expect(judgeTender(rounded, { ...money, tendered: asFen(22350) })).toEqual({
    change: 0,
    toPrestore: 0,
    shortfall: 0,
    roundedOff: 8,
    remaining: 0,
  })
  expect(judgeTender(rounded, { ...money, tendered: asFen(20000) })).toEqual({
    change: 0,
    toPrestore: 0,
    shortfall: 2350,
    roundedOff: 0,
    remaining: 2358,
  })
})

const counter: CounterInput = {
  due: exact(asFen(61800)),
  prestoreBalance: 0,
  others: [],
  isCash: true,
  keepsChange: false,
}

it('PAY-15: prestore first, at most what is due; then the other methods; the main one takes the rest', () => {
  expect(sumCounterTenders(counter)).toMatchObject({ prestore: 0, open: 61800, received: 61800, excess: 0 })
  expect(sumCounterTenders({ ...counter, prestoreBalance: asFen(20000) })).toMatchObject({
    prestore: 20000,
    open: 41800,
    tendered: 61800,
  })
  expect(sumCounterTenders({ ...counter, prestoreBalance: asFen(99900) })).toMatchObject({
    prestore: 61800,
    open: 0,
    tendered: 61800,
    excess: 0,
  })
  expect(
    sumCounterTenders({
      ...counter,
      prestoreBalance: asFen(20000),
      others: [{ amount: asFen(30000), isCash: false }],
    }),
  ).toMatchObject({ open: 11800, received: 11800, shortfall: 0 })
})

it('T-PAY-05: what was typed decides change, excess and shortfall at the counter', () => {
  expect(sumCounterTenders({ ...counter, received: asFen(70000) })).toMatchObject({
    change: 8200,
    excess: 8200,
    applied: 61800,
    remaining: 0,
  })
  expect(sumCounterTenders({ ...counter, received: asFen(70000), isCash: false })).toMatchObject({
    change: 0,
    toPrestore: 8200,
  })
  expect(sumCounterTenders({ ...counter, received: asFen(50000) })).toMatchObject({
    shortfall: 11800,
    remaining: 11800,
    applied: 50000,
  })
  expect(sumCounterTenders({ ...counter, received: 0 })).toMatchObject({ tendered: 0, shortfall: 61800 })
})

it('PAY-13: change is given from the cash of a mixed payment, in any position', () => {
  const transferFirst = { ...counter, isCash: false, received: asFen(60000) }
  expect(
    sumCounterTenders({ ...transferFirst, others: [{ amount: asFen(5000), isCash: true }] }),
  ).toMatchObject({
    change: 3200,
    toPrestore: 0,
    canGiveChange: true,
  })
  expect(
    sumCounterTenders({
      ...transferFirst,
      others: [
        { amount: asFen(3000), isCash: true },
        { amount: asFen(2000), isCash: false },
      ],
    }),
  ).toMatchObject({ change: 0, toPrestore: 3200, canGiveChange: false })
})

it('every fen tendered is applied, given back or kept', () => {
  const fen = fc.nat(9000).map(asFen)
  const due = fc.record({ pay: fen, off: fc.nat(99).map(asFen) })
  const tender = fc.record({ amount: fen, isCash: fc.boolean() })
  fc.assert(
    fc.property(
      fc.record({
        due,
        prestoreBalance: fen,
        others: fc.array(tender, { maxLength: 3 }),
        received: fc.option(fen, { nil: undefined }),
        isCash: fc.boolean(),
        keepsChange: fc.boolean(),
      }),
      input => {
        const sums = sumCounterTenders(input)
        expect(sums.applied + sums.change + sums.toPrestore).toBe(sums.tendered)
        expect(sums.applied + sums.roundedOff + sums.remaining).toBe(input.due.pay + input.due.off)
        expect(sums.prestore <= Math.min(input.prestoreBalance, input.due.pay)).toBe(true)
        expect([sums.change * sums.toPrestore, sums.excess * sums.shortfall]).toEqual([0, 0])
      },
    ),
  )
})

it('PAY-15: other methods beyond what is due leave nothing open for the main one', () => {
  expect(
    sumCounterTenders({
      ...counter,
      due: exact(asFen(1000)),
      others: [{ amount: asFen(1500), isCash: false }],
    }),
  ).toMatchObject({ open: 0, received: 0, excess: 500 })
})

const mixed = [
  { method: 'prestore', amount: asFen(20000) },
  { method: 'cash', amount: asFen(3000) },
  { method: 'transfer', amount: asFen(40000) },
  { method: 'cash', amount: asFen(2000) },
  { method: 'parkCoupon', amount: asFen(500) },
] as const

it('ACC-7, C27-9: what was paid in before or given is no new money; change comes out of the cash', () => {
  expect(mixed.map(tender => isOffset(tender.method))).toEqual([true, false, false, false, true])
  expect(cashTendered(mixed)).toBe(5000)
  expect(keptMoney(mixed, asFen(700))).toBe(44300)
  expect(keptTenders(mixed, asFen(700))).toEqual([
    { method: 'prestore', amount: 20000 },
    { method: 'cash', amount: 4300 },
    { method: 'transfer', amount: 40000 },
    { method: 'parkCoupon', amount: 500 },
  ])
  expect(keptTenders([], 0)).toEqual([])
})

it('PAY-13: cash that just covers the excess may be given back', () => {
  expect(
    sumCounterTenders({
      ...counter,
      isCash: false,
      received: asFen(61800),
      others: [{ amount: asFen(5000), isCash: true }],
    }),
  ).toMatchObject({ change: 5000, canGiveChange: true })
})
