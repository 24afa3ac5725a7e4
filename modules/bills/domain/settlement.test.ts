import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import { stateChange, refusalOf } from './actions.ts'
import { applyDiscount, adjustLateFee } from './adjustment.ts'
import { allocate } from './allocation.ts'
import {
  lateUnpaid,
  moneyFaults,
  receivable,
  unpaid,
  unpaidPrincipal,
  type Bill,
  type BillChange,
} from './bill.ts'
import { accrueLateFee, computeLateFeeDue, type Debt, type PrincipalEntry } from './late-fee.ts'
import { applyPayment, applyRefund } from './settlement.ts'
import { spreadOverMonths } from './months.ts'

const bill = (overrides: Partial<Bill> = {}): Bill => ({
  id: asId(1),
  begin: '2025-01-01',
  end: '2025-01-31',
  dueDate: '2025-01-31',
  state: 'normal',
  payState: 'unpaid',
  refundState: 'none',
  invoiceState: 'none',
  deleted: false,
  source: 'auto',
  deposit: false,
  notified: false,
  amount: asFen(30000),
  discount: 0,
  paidPrincipal: 0,
  lateDue: asFen(1035),
  latePaid: 0,
  lateWaived: 0,
  lateManual: false,
  ...overrides,
})

const policy = {
  on: true,
  rates: [{ rate: '0.0005' }],
  graceDays: 0,
  graceMode: 'all',
  capMode: 'rate',
  capValue: '1',
} as const

const after = (b: Bill, c: BillChange | string): Bill => {
  if (typeof c === 'string') throw new Error(c)
  return { ...b, ...c }
}

it('T-REF-01 a part goes back and is owed again from that day', () => {
  const settled = after(bill(), applyPayment(bill(), { principal: asFen(30000), late: asFen(1035) }))
  expect([settled.payState, unpaid(settled)]).toEqual(['paid', 0])
  const back = after(settled, applyRefund(settled, { principal: asFen(10000), late: 0 }, 'owed'))
  expect([back.paidPrincipal, back.payState, unpaid(back), back.refundState, back.state]).toEqual([
    20000,
    'unpaid',
    10000,
    'part',
    'normal',
  ])
  const debt: Debt = {
    dueDate: '2025-01-31',
    principal: asFen(30000),
    moves: [
      { day: '2025-04-10', amount: asFen(30000) },
      { day: '2025-06-01', amount: asFen(-10000) },
    ],
  }
  expect([accrueLateFee(policy, debt, '2025-06-01'), accrueLateFee(policy, debt, '2025-06-21')]).toEqual([
    1035, 1135,
  ])
})

it('T-REF-02 all goes back and the bill with it', () => {
  const settled = bill({ paidPrincipal: asFen(30000), latePaid: asFen(1035), payState: 'paid' })
  expect(
    after(settled, applyRefund(settled, { principal: asFen(30000), late: asFen(1035) }, 'abolished')),
  ).toMatchObject({
    state: 'abolished',
    refundState: 'full',
    paidPrincipal: 0,
    latePaid: 0,
  })
  expect(applyRefund(settled, { principal: asFen(30000), late: 0 }, 'abolished')).toContain('全部已收')
})

it('REF-2 kept as paid: the sum becomes discount and waiver', () => {
  const settled = bill({ paidPrincipal: asFen(30000), latePaid: asFen(1035), payState: 'paid' })
  const kept = after(settled, applyRefund(settled, { principal: asFen(5000), late: asFen(35) }, 'kept'))
  expect([kept.discount, kept.lateWaived, kept.payState, unpaid(kept), moneyFaults(kept)]).toEqual([
    5000,
    35,
    'paid',
    0,
    [],
  ])
  expect(
    [
      applyRefund(settled, { principal: asFen(30001), late: 0 }, 'owed'),
      applyRefund(settled, { principal: 0, late: 0 }, 'owed'),
    ].map(x => typeof x),
  ).toEqual(['string', 'string'])
})

it('C3.1, LATE-9 when a bill counts as paid', () => {
  expect([
    applyPayment(bill(), { principal: asFen(30000), late: 0 }).payState,
    applyPayment(bill(), { principal: asFen(30000), late: 0 }, { principalSettles: true }).payState,
    applyPayment(bill(), { principal: asFen(30000), late: 0 }, { waiveLeft: true }),
  ]).toEqual([
    'unpaid',
    'paid',
    { paidPrincipal: 30000, latePaid: 0, lateWaived: 1035, payState: 'paid', lockedUntil: undefined },
  ])
  for (const [principal, late] of [
    [30001, 0],
    [0, 1036],
    [-1, 5],
    [5, -1],
  ] as const) {
    expect(() => applyPayment(bill(), { principal: asFen(principal), late: asFen(late) })).toThrow('超过未缴')
  }
  expect(moneyFaults(bill({ discount: asFen(30001) }))).toHaveLength(2)
  expect(
    [
      moneyFaults(bill({ latePaid: asFen(1036) })),
      moneyFaults(bill({ payState: 'paid' })),
      moneyFaults(bill({ amount: asFen(-1) })),
      moneyFaults(bill({ amount: castForTest<Fen>(0.5) })),
    ].every(f => f.length > 0),
  ).toBe(true)
})

const step = fc.record({
  kind: fc.constantFrom('pay', 'pay', 'refund', 'discount', 'waive', 'fix', 'auto', 'day', 'day', 'abolish'),
  n: fc.nat(1000),
  m: fc.nat(1000),
  how: fc.nat(5),
})

it('any sequence of paying, refunding, discounting and late fees keeps every identity and loses no fen', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 10 ** 8 }),
      fc.boolean(),
      (steps, amount, principalSettles) => {
        let b = bill({ amount: asFen(amount), lateDue: 0 })
        let day: Day = '2025-01-15'
        let cash = 0
        const moves: PrincipalEntry[] = []
        const set = (c: BillChange | string): void => {
          if (typeof c === 'string') return
          b = { ...b, ...c }
        }
        for (const s of steps) {
          const now = `${day} 10:00:00` as const
          if (!b.lateManual && b.state === 'normal') {
            set(
              adjustLateFee(
                b,
                { kind: 'auto', accrued: computeLateFeeDue(b, policy, moves, day) },
                { principalSettles },
              ),
            )
          }
          if (s.kind === 'day') {
            day = addDays(day, s.n % 60)
          }
          if (s.kind === 'pay' && refusalOf('pay', b, { now }) === undefined) {
            const owed = {
              id: asId(1),
              dueDate: b.dueDate,
              begin: b.begin,
              itemSort: 0,
              principal: unpaidPrincipal(b),
              late: lateUnpaid(b),
            }
            const gave = Math.ceil(((unpaid(b) + 500) * s.n) / 900)
            const {
              shares: [share],
              unallocated,
            } = allocate(
              [owed],
              asFen(gave),
              defined((['lateFirst', 'principalFirst', 'allPrincipalFirst'] as const)[s.how % 3]),
            )
            if (share) {
              set(applyPayment(b, share, { principalSettles, waiveLeft: s.how > 3 }))
              moves.push({ day, amount: share.principal })
              cash += gave - unallocated
            }
          }
          if (s.kind === 'refund' && b.state === 'normal') {
            const sum = {
              principal: asFen(Math.floor((b.paidPrincipal * s.n) / 1000)),
              late: asFen(Math.floor((b.latePaid * s.m) / 1000)),
            }
            const how = defined((['owed', 'owed', 'abolished', 'kept'] as const)[s.how % 4])
            const result = applyRefund(b, sum, how, { principalSettles })
            if (typeof result !== 'string') {
              set(result)
              cash -= sum.principal + sum.late
              moves.push({ day, amount: how === 'kept' ? 0 : asFen(-sum.principal) })
            }
          }
          if (s.kind === 'discount' && refusalOf('discount', b, { now }) === undefined) {
            set(
              applyDiscount(
                b,
                s.how % 2
                  ? { kind: 'amount', off: asFen(s.n * 1000) }
                  : { kind: 'rate', off: `0.${String(s.n).padStart(4, '0')}` },
                { principalSettles },
              ),
            )
          }
          if ((s.kind === 'waive' || s.kind === 'fix') && refusalOf('lateFee', b, { now }) === undefined) {
            set(
              adjustLateFee(
                b,
                {
                  kind: s.kind,
                  amount: s.kind === 'fix' ? asFen(s.n) : asFen(Math.floor((lateUnpaid(b) * s.n) / 1000)),
                },
                { principalSettles },
              ),
            )
          }
          if (s.kind === 'auto' && b.state === 'normal') {
            set(
              adjustLateFee(
                b,
                {
                  kind: 'auto',
                  accrued: accrueLateFee(
                    policy,
                    { dueDate: b.dueDate, principal: receivable(b), moves },
                    day,
                  ),
                },
                { principalSettles },
              ),
            )
          }
          if (s.kind === 'abolish' && refusalOf('abolish', b, { now }) === undefined) {
            set(stateChange('abolish'))
          }
          expect(moneyFaults(b, { principalSettles })).toEqual([])
          expect(b.paidPrincipal + b.latePaid).toBe(cash)
          const rows = spreadOverMonths(
            b,
            { receivable: receivable(b), discount: b.discount, paid: b.paidPrincipal },
            true,
          )
          expect(rows.reduce((t, r) => t + r.paid, 0)).toBe(b.paidPrincipal)
        }
      },
    ),
    { numRuns: 500 },
  )
})

it('LATE-9: one fen of late fee is waived with the last fen of principal, and not before', () => {
  const owing = bill({ amount: asFen(1000), lateDue: asFen(1) })
  const pay = (principal: number, late: number) =>
    applyPayment(owing, { principal: asFen(principal), late: asFen(late) }, { waiveLeft: true }).lateWaived
  expect([pay(1000, 0), pay(999, 0), pay(1000, 1)]).toEqual([1, undefined, undefined])
})

it('REF-2: a refund of late fee alone, of as much late fee as principal, or of a single fen is one', () => {
  const paid = bill({ paidPrincipal: asFen(30000), latePaid: asFen(1035), payState: 'paid' })
  const back = (principal: number, late: number) =>
    applyRefund(paid, { principal: asFen(principal), late: asFen(late) }, 'owed')
  expect([back(0, 1), back(1, 0), back(1000, 1000), back(1, 1035)].map(x => typeof x)).toEqual(
    Array.from({ length: 4 }, () => 'object'),
  )
  expect([back(0, 0), back(-1, 2), back(2, -1)]).toEqual(Array.from({ length: 3 }, () => '退款金额应大于零'))
  expect([back(30001, 0), back(0, 1036)]).toEqual(
    Array.from({ length: 2 }, () => '退款超过已收：本金最多 300.00 元，违约金最多 10.35 元'),
  )
})
