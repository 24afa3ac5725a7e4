import { asId } from '#kit/domain/id.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, fromEpochDays } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import {
  applyDiscount,
  decideEnding,
  adjustLateFee,
  mergeHalves,
  changeAmount,
  splitByAmount,
  splitByDate,
} from './adjustment.ts'
import { moneyFaults, receivable, type Bill } from './bill.ts'
import { spreadOverMonths } from './months.ts'

const bill = (overrides: Partial<Bill> = {}): Bill => ({
  id: asId(1),
  begin: '2025-03-01',
  end: '2025-03-31',
  dueDate: '2025-03-31',
  state: 'normal',
  payState: 'unpaid',
  refundState: 'none',
  invoiceState: 'none',
  deleted: false,
  source: 'auto',
  deposit: false,
  notified: false,
  amount: asFen(32645),
  discount: 0,
  paidPrincipal: 0,
  lateDue: 0,
  latePaid: 0,
  lateWaived: 0,
  lateManual: false,
  ...overrides,
})

it('T-BILL-01 fifteen per cent off', () => {
  expect(applyDiscount(bill(), { kind: 'rate', off: '0.15' })).toEqual({ discount: 4897, payState: 'unpaid' })
  expect(receivable({ amount: asFen(32645), discount: asFen(4897) })).toBe(27748)
  expect(applyDiscount(bill({ paidPrincipal: asFen(30000) }), { kind: 'amount', off: asFen(2645) })).toEqual({
    discount: 2645,
    payState: 'paid',
  })
  expect(
    [
      applyDiscount(bill({ paidPrincipal: asFen(30000) }), { kind: 'amount', off: asFen(2646) }),
      applyDiscount(bill(), { kind: 'amount', off: asFen(-1) }),
      applyDiscount(bill(), { kind: 'rate', off: '1.01' }),
    ].map(x => typeof x),
  ).toEqual(['string', 'string', 'string'])
  expect([
    changeAmount(bill(), asFen(100)),
    changeAmount(bill({ discount: asFen(200) }), asFen(100)),
    changeAmount(bill(), 0),
  ]).toEqual([{ amount: 100, payState: 'unpaid' }, expect.any(String), expect.any(String)])
})

it('LATE-8 waive, fix, back to automatic', () => {
  const b = bill({ lateDue: asFen(1000), latePaid: asFen(200), lateWaived: asFen(100) })
  expect([
    adjustLateFee(b, { kind: 'waive', amount: asFen(700) }),
    adjustLateFee(b, { kind: 'waive', amount: asFen(701) }),
    adjustLateFee(b, { kind: 'waive', amount: 0 }),
  ]).toEqual([{ lateWaived: 800, payState: 'unpaid' }, expect.any(String), expect.any(String)])
  expect(adjustLateFee(b, { kind: 'fix', amount: asFen(2000) })).toEqual({
    lateDue: 2300,
    lateManual: true,
    payState: 'unpaid',
  })
  expect(adjustLateFee({ ...b, paidPrincipal: asFen(32645) }, { kind: 'fix', amount: 0 })).toEqual({
    lateDue: 300,
    lateManual: true,
    payState: 'paid',
  })
  expect([
    adjustLateFee({ ...b, lateManual: true }, { kind: 'auto', accrued: asFen(5000) }),
    adjustLateFee(b, { kind: 'auto', accrued: asFen(10) }),
  ]).toEqual([
    { lateDue: 5000, lateManual: false, payState: 'unpaid' },
    { lateDue: 300, lateManual: false, payState: 'unpaid' },
  ])
})

/** What came of it; fails where it was refused with a message. */
function notRefused<T>(outcome: T | string): T {
  if (typeof outcome === 'string') throw new Error(outcome)
  return outcome
}

it('BILL-12 splits by date and by amount', () => {
  const [a, b] = notRefused(
    splitByDate(bill({ amount: asFen(31000), discount: asFen(310) }), '2025-03-11', '2025-05-01'),
  )
  expect([a, b].map(h => [h.begin, h.end, h.dueDate, h.amount, h.discount])).toEqual([
    ['2025-03-01', '2025-03-10', '2025-03-31', 10000, 100],
    ['2025-03-11', '2025-03-31', '2025-05-01', 21000, 210],
  ])
  expect([splitByDate(bill(), '2025-03-01'), splitByDate(bill(), '2025-04-01')].map(x => typeof x)).toEqual([
    'string',
    'string',
  ])
  const [c, d] = notRefused(splitByAmount(bill({ amount: asFen(30000), discount: asFen(3000) }), asFen(9000)))
  expect([c, d].map(h => [h.amount - h.discount, h.discount])).toEqual([
    [9000, 1000],
    [18000, 2000],
  ])
  expect([0 as const, asFen(32645), castForTest<Fen>(1.5)].map(x => typeof splitByAmount(bill(), x))).toEqual(
    ['string', 'string', 'string'],
  )
})

it('CYC-9 the end of charging in mid-period', () => {
  const b = bill({ amount: asFen(31000) })
  expect([
    decideEnding(b, '2025-03-31'),
    decideEnding(b, '2025-02-28'),
    decideEnding(b, '2025-03-10'),
  ]).toEqual([{ kind: 'none' }, { kind: 'abolish' }, { kind: 'splitAndAbolish', on: '2025-03-11' }])
  expect([
    decideEnding({ ...b, paidPrincipal: asFen(31000) }, '2025-03-10'),
    decideEnding({ ...b, paidPrincipal: asFen(31000) }, '2025-02-28'),
    decideEnding({ ...b, paidPrincipal: asFen(15000) }, '2025-03-10'),
  ]).toEqual([
    { kind: 'credit', discount: 0, toPrestore: 21000 },
    { kind: 'credit', discount: 0, toPrestore: 31000 },
    { kind: 'credit', discount: 16000, toPrestore: 5000 },
  ])
  expect(decideEnding({ ...b, state: 'abolished' }, '2025-03-10')).toEqual({ kind: 'none' })
})

it('STAT-2 months of a bill, the remainder in the last', () => {
  const quarter = { begin: '2025-03-18', end: '2025-06-30' } as const
  expect(
    spreadOverMonths(
      quarter,
      { receivable: asFen(97043), discount: asFen(100), paid: asFen(50000) },
      true,
    ).map(r => [r.month, r.days, r.receivable, r.discount, r.paid]),
  ).toEqual([
    ['2025-03', 14, 12939, 13, 6666],
    ['2025-04', 30, 27726, 28, 14286],
    ['2025-05', 31, 28650, 29, 14761],
    ['2025-06', 30, 27728, 30, 14287],
  ])
  expect(spreadOverMonths(quarter, { receivable: asFen(97043), discount: 0, paid: 0 }, false)).toEqual([
    { month: '2025-03', days: 105, receivable: 97043, discount: 0, paid: 0 },
  ])
})

const day = fc.integer({ min: 18_000, max: 21_000 }).map(fromEpochDays)

it('split halves and month rows add up to the fen, whatever the bill', () => {
  fc.assert(
    fc.property(
      day,
      fc.nat(800),
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.nat(1000),
      fc.nat(800),
      fc.nat(1000),
      fc.nat(1000),
      fc.boolean(),
      (begin, n, amount, off, at, late, waived, manual) => {
        const discount = Math.floor((amount * off) / 1000)
        const end = addDays(begin, n)
        const lateDue = Math.floor((amount * late) / 1000)
        const lateWaived = Math.floor((lateDue * waived) / 1000)
        const b = bill({
          begin,
          end,
          amount: asFen(amount),
          discount: asFen(discount),
          lateDue: asFen(lateDue),
          lateWaived: asFen(lateWaived),
          lateManual: manual,
        })
        for (const halves of [splitByDate(b, addDays(begin, at)), splitByAmount(b, asFen(at * 1000))]) {
          if (typeof halves === 'string') continue
          for (const key of [
            'amount',
            'discount',
            'lateWaived',
            ...(manual ? (['lateDue'] as const) : []),
          ] as const) {
            expect(halves[0][key] + halves[1][key]).toBe(b[key])
          }
          // Put together again they are what they were.
          expect({
            ...b,
            ...notRefused(
              mergeHalves(
                b,
                halves.map(h => ({ ...b, ...h })),
              ),
            ),
            ...(manual ? {} : { lateDue: b.lateDue }),
            payState: b.payState,
          }).toEqual(b)
          for (const h of halves) {
            expect(moneyFaults({ ...b, ...h, payState: undefined })).toEqual([])
          }
        }
        const paid = Math.floor((receivable(b) * waived) / 1000)
        const rows = spreadOverMonths(
          b,
          { receivable: receivable(b), discount: asFen(discount), paid: asFen(paid) },
          true,
        )
        const sum = (key: 'receivable' | 'discount' | 'paid' | 'days') => rows.reduce((t, r) => t + r[key], 0)
        expect([sum('receivable'), sum('discount'), sum('paid'), sum('days')]).toEqual([
          receivable(b),
          discount,
          paid,
          n + 1,
        ])
        for (const r of rows) {
          expect(r.paid >= 0 && r.paid <= r.receivable && r.discount >= 0).toBe(true)
        }
      },
    ),
  )
})

it('BILL-4, LATE-8: the limits themselves are allowed', () => {
  expect(changeAmount(bill({ discount: asFen(200) }), asFen(200))).toEqual({ amount: 200, payState: 'paid' })
  expect(changeAmount(bill(), asFen(1))).toEqual({ amount: 1, payState: 'unpaid' })
  const late = bill({ lateDue: asFen(1000) })
  expect(adjustLateFee(late, { kind: 'waive', amount: asFen(1) })).toMatchObject({ lateWaived: 1 })
  expect(adjustLateFee(late, { kind: 'fix', amount: asFen(9_999_999_999) })).toMatchObject({
    lateManual: true,
  })
})

it('BILL-12: the last day may begin the second half; the first may not', () => {
  const [a, b] = notRefused(splitByDate(bill({ amount: asFen(31000) }), '2025-03-31'))
  expect([a, b].map(half => [half.begin, half.end, half.amount])).toEqual([
    ['2025-03-01', '2025-03-30', 30000],
    ['2025-03-31', '2025-03-31', 1000],
  ])
})

it('BILL-12, LATE-8: a late fee set by hand is split with the bill, and comes back when the halves are merged', () => {
  const fixed = bill({
    amount: asFen(31000),
    lateDue: asFen(310),
    lateWaived: asFen(31),
    lateManual: true,
  })
  const halves = notRefused(splitByDate(fixed, '2025-03-11'))
  expect(halves.map(half => [half.lateDue, half.lateWaived, half.lateManual])).toEqual([
    [100, 10, true],
    [210, 21, true],
  ])
  const parts = halves.map((half, i) => bill({ ...half, id: asId(i + 2) }))
  expect(mergeHalves(bill({ state: 'split' }), parts)).toEqual({
    amount: 31000,
    discount: 0,
    lateWaived: 31,
    lateManual: true,
    lateDue: 310,
    payState: 'unpaid',
  })
  expect(mergeHalves(bill(), parts.slice(1))).toMatchObject({ lateManual: true, lateDue: 210 })
  const automatic = parts.map(part => ({ ...part, lateManual: false }))
  expect(mergeHalves(bill(), automatic)).toMatchObject({ lateManual: false, lateDue: 31 })
  const mixed = parts.map((part, i) => ({ ...part, lateManual: i === 0 }))
  expect(mergeHalves(bill(), mixed)).toBe('拆分出的账单有的违约金已定额，请先恢复自动再合并')
})

it('CYC-9: charging that ends on the first day of a bill leaves that day', () => {
  const b = bill({ amount: asFen(31000) })
  expect(decideEnding(b, '2025-03-01')).toEqual({ kind: 'splitAndAbolish', on: '2025-03-02' })
  expect(decideEnding({ ...b, paidPrincipal: asFen(31000) }, '2025-03-01')).toEqual({
    kind: 'credit',
    discount: 0,
    toPrestore: 30000,
  })
  expect(decideEnding({ ...b, lateDue: asFen(1), latePaid: asFen(1) }, '2025-03-01')).toEqual({
    kind: 'credit',
    discount: 30000,
    toPrestore: 0,
  })
  expect(decideEnding({ ...b, deleted: true }, '2025-03-01')).toEqual({ kind: 'none' })
})
