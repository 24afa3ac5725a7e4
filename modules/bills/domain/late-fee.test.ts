import { asId } from '#kit/domain/id.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, type Day } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { Bill } from './bill.ts'
import {
  accrueLateFee,
  computeLateFeeDue,
  overdueDays,
  type Debt,
  type LateFeePolicy,
  type PrincipalEntry,
} from './late-fee.ts'

const policy = (overrides: Partial<LateFeePolicy> = {}): LateFeePolicy => ({
  on: true,
  rates: [{ rate: '0.0005' }],
  graceDays: 0,
  graceMode: 'all',
  capMode: 'none',
  ...overrides,
})

const owed = (principal: Fen, dueDate: Day, ...moves: PrincipalEntry[]): Debt => ({
  principal,
  dueDate,
  moves,
})
const thousandth = policy({ rates: [{ rate: '0.001' }] })

it('T-LATE-01 rounded once, not day by day', () => {
  expect(accrueLateFee(policy(), owed(asFen(8943), '2025-03-01'), '2025-03-31')).toBe(134)
})

it('T-LATE-02, LATE-2 the payment day counts, the due day does not', () => {
  expect(accrueLateFee(thousandth, owed(asFen(56231), '2025-03-31'), '2025-04-10')).toBe(562)
  expect(
    accrueLateFee(
      thousandth,
      owed(asFen(56231), '2025-03-31', { day: '2025-04-10', amount: asFen(56231) }),
      '2025-06-30',
    ),
  ).toBe(562)
  expect([
    accrueLateFee(thousandth, owed(asFen(56231), '2025-03-31'), '2025-03-31'),
    accrueLateFee(
      thousandth,
      owed(asFen(56231), '2025-03-31', { day: '2025-03-31', amount: asFen(56231) }),
      '2025-06-30',
    ),
  ]).toEqual([0, 0])
  expect([overdueDays('2025-03-31', '2025-04-10'), overdueDays('2025-03-31', '2025-03-30')]).toEqual([10, 0])
})

it('T-LATE-04, LATE-3 grace in both modes', () => {
  for (const graceMode of ['all', 'beyond'] as const) {
    const p = policy({ rates: [{ rate: '0.001' }], graceDays: 5, graceMode })
    const paid = owed(asFen(56231), '2025-03-31', { day: '2025-04-05', amount: asFen(56231) })
    expect([
      accrueLateFee(p, owed(asFen(56231), '2025-03-31'), '2025-04-05'),
      accrueLateFee(p, paid, '2025-09-30'),
    ]).toEqual([0, 0])
    expect(accrueLateFee(p, owed(asFen(56231), '2025-03-31'), '2025-04-06')).toBe(
      graceMode === 'all' ? 337 : 56,
    )
    // Paid in time and refunded long after: the days of grace stay forgiven.
    expect(
      accrueLateFee(
        p,
        { ...paid, moves: [...paid.moves, { day: '2025-07-01', amount: asFen(-56231) }] },
        '2025-07-11',
      ),
    ).toBe(562)
  }
})

it('LATE-5, T-LATE-05 the sum over what was owed on each day', () => {
  const debt = owed(
    asFen(120000),
    '2025-01-31',
    { day: '2025-03-02', amount: asFen(50000) },
    { day: '2025-04-11', amount: asFen(70000) },
  )
  expect([
    accrueLateFee(policy(), debt, '2025-03-02'),
    accrueLateFee(policy(), debt, '2025-04-11'),
    accrueLateFee(policy(), debt, '2026-01-01'),
  ]).toEqual([1800, 3200, 3200])
})

it('T-LATE-06, LATE-7 caps', () => {
  const p = (overrides: Partial<LateFeePolicy>) =>
    accrueLateFee(
      policy({ rates: [{ rate: '0.003' }], ...overrides }),
      owed(asFen(100000), '2024-01-01'),
      addDays('2024-01-01', 400),
    )
  expect([
    p({}),
    p({ capMode: 'rate', capValue: '1' }),
    p({ capMode: 'rate' }),
    p({ capMode: 'rate', capValue: '0.3' }),
    p({ capMode: 'amount', capValue: '55.5' }),
    p({ capMode: 'days', capValue: '100' }),
  ]).toEqual([120000, 100000, 100000, 30000, 5550, 30000])
})

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
  amount: asFen(100000),
  discount: 0,
  paidPrincipal: 0,
  lateDue: 0,
  latePaid: 0,
  lateWaived: 0,
  lateManual: false,
  ...overrides,
})

it('T-LATE-08 a fixed late fee stays', () => {
  expect(
    computeLateFeeDue(bill({ lateDue: asFen(2000), lateManual: true }), policy(), [], '2025-06-30'),
  ).toBe(2000)
})

it('LATE-10 frozen while abolished, as if never once recovered; LATE-4 on the discounted principal, never on deposits', () => {
  expect(
    computeLateFeeDue(bill({ state: 'abolished', lateDue: asFen(77) }), policy(), [], '2025-06-30'),
  ).toBe(77)
  expect([
    computeLateFeeDue(bill({ lateDue: asFen(77) }), policy(), [], '2025-04-30'),
    computeLateFeeDue(bill({ discount: asFen(50000) }), policy(), [], '2025-04-30'),
    computeLateFeeDue(
      bill({ deposit: true, latePaid: asFen(5), lateWaived: asFen(3) }),
      policy(),
      [],
      '2025-04-30',
    ),
  ]).toEqual([1500, 750, 8])
  expect(
    computeLateFeeDue(bill({ latePaid: asFen(1600), lateWaived: asFen(100) }), policy(), [], '2025-04-30'),
  ).toBe(1700)
})

it('LATE-11 days while the money was held do not count', () => {
  const moves: PrincipalEntry[] = [
    { day: '2025-04-10', amount: asFen(100000) },
    { day: '2025-05-10', amount: asFen(-40000) },
  ]
  expect([
    accrueLateFee(policy(), owed(asFen(100000), '2025-03-31', ...moves), '2025-05-10'),
    accrueLateFee(policy(), owed(asFen(100000), '2025-03-31', ...moves), '2025-05-20'),
  ]).toEqual([500, 700])
})

it('LATE-1, LATE-14 the least principal and amount, a first day, a rate that changes', () => {
  const at = (overrides: Partial<LateFeePolicy>, principal = 100000) =>
    accrueLateFee(policy(overrides), owed(asFen(principal), '2025-03-31'), '2025-04-20')
  expect([
    at({}),
    at({ on: false }),
    at({ minPrincipal: asFen(100001) }),
    at({ minPrincipal: asFen(100000) }),
    at({ minAmount: asFen(1001) }),
    at({ minAmount: asFen(1000) }),
    at({ from: '2025-04-11' }),
    at({ from: '2026-01-01' }),
  ]).toEqual([1000, 0, 0, 1000, 0, 1000, 500, 0])
  expect(at({ rates: [{ from: '2025-04-11', rate: '0.001' }, { rate: '0.0005' }] })).toBe(1500)
  expect(at({ rates: [{ from: '2025-04-11', rate: '0.001' }] })).toBe(1000)
})

it('LATE-6 the total does not depend on when it was looked at, and never shrinks while nothing is paid', () => {
  const move = fc.record({ day: fc.nat(400), amount: fc.integer({ min: -30000, max: 60000 }).map(asFen) })
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 5 }),
      fc.nat(20),
      fc.constantFrom('all', 'beyond'),
      fc.array(fc.nat(500), { minLength: 1, maxLength: 20 }),
      (list, graceDays, graceMode, looks) => {
        const debt = owed(
          asFen(100000),
          '2024-01-01',
          ...list.map(m => ({ day: addDays('2024-01-01', m.day), amount: m.amount })),
        )
        const p = policy({ graceDays, graceMode })
        // Day by day, by the words of the rule alone.
        const plain = (asOf: number): bigint => {
          const at = (d: number) =>
            BigInt(Math.max(0, 100000 - list.filter(m => m.day < d).reduce((s, m) => s + m.amount, 0)))
          if (asOf <= graceDays) return 0n
          const from = graceMode === 'all' && at(graceDays + 1) > 0n ? 1 : graceDays + 1
          let sum = 0n
          for (let d = from; d <= asOf; d++) {
            sum += at(d) * 5n
          }
          return (2n * sum + 10_000n) / 20_000n
        }
        let before = 0
        for (const days of [...looks].toSorted((a, b) => a - b)) {
          const now = accrueLateFee(p, debt, addDays('2024-01-01', days))
          expect(BigInt(now)).toBe(plain(days))
          expect(now >= before).toBe(true)
          before = now
        }
      },
    ),
  )
})

it('LATE-1, LATE-3, LATE-5, LATE-7, LATE-14 any policy over any history is what counting day by day gives', () => {
  const move = fc.record({
    day: fc.integer({ min: -30, max: 300 }),
    amount: fc.integer({ min: -40_000, max: 60_000 }).map(asFen),
  })
  const rate = fc.record({ from: fc.option(fc.nat(300), { nil: undefined }), millionths: fc.nat(2000) })
  const policyOf = fc.record({
    rates: fc.uniqueArray(rate, { selector: r => r.from ?? -1, minLength: 1, maxLength: 4 }),
    graceDays: fc.nat(20),
    beyond: fc.boolean(),
    cap: fc.constantFrom('none', 'rate', 'amount', 'days'),
    capOf: fc.integer({ min: 1, max: 40 }),
    minPrincipal: fc.option(fc.nat(90_000).map(asFen), { nil: undefined }),
    leastFee: fc.option(fc.nat(900).map(asFen), { nil: undefined }),
    begin: fc.option(fc.nat(200), { nil: undefined }),
  })
  const due = '2024-01-01'
  const at = (n: number): Day => addDays(due, n)
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 6 }),
      policyOf,
      fc.nat(400),
      fc.integer({ min: 1, max: 150_000 }),
      (list, x, asOf, principal) => {
        const p = policy({
          rates: x.rates.map(r => ({
            ...(r.from === undefined ? {} : { from: at(r.from) }),
            rate: (r.millionths / 1e6).toFixed(6),
          })),
          graceDays: x.graceDays,
          graceMode: x.beyond ? 'beyond' : 'all',
          capMode: x.cap,
          capValue:
            x.cap === 'rate'
              ? (x.capOf / 100).toFixed(2)
              : x.cap === 'amount'
                ? String(x.capOf)
                : String(x.capOf * 3),
          minPrincipal: x.minPrincipal,
          minAmount: x.leastFee,
          ...(x.begin === undefined ? {} : { from: at(x.begin) }),
        })
        // By the words of the rules alone: what was owed on the day before decides each day; in millionths of
        // a fen.
        const owedOn = (d: number): bigint =>
          BigInt(principal - list.filter(m => m.day < d).reduce((s, m) => s + m.amount, 0))
        const rateOn = (d: number): bigint =>
          BigInt(
            x.rates
              .filter(r => r.from === undefined || r.from <= d)
              .toSorted((a, b) => (a.from ?? -1) - (b.from ?? -1))
              .at(-1)?.millionths ?? 0,
          )
        const from = !x.beyond && owedOn(x.graceDays + 1) > 0n ? 1 : x.graceDays + 1
        let sum = 0n
        let days = 0
        if (asOf > x.graceDays) {
          for (let d = from; d <= asOf; d++) {
            if (x.begin !== undefined && d < x.begin) continue
            if (
              owedOn(d) <= 0n ||
              owedOn(d) < BigInt(x.minPrincipal ?? 0) ||
              (x.cap === 'days' && days >= x.capOf * 3)
            )
              continue
            days++
            sum += owedOn(d) * rateOn(d)
          }
        }
        const cap =
          x.cap === 'rate'
            ? BigInt(principal) * BigInt(x.capOf) * 10_000n
            : x.cap === 'amount'
              ? BigInt(x.capOf) * 100_000_000n
              : undefined
        const capped = cap !== undefined && sum > cap ? cap : sum
        const fen = (2n * capped + 1_000_000n) / 2_000_000n
        expect(
          accrueLateFee(
            p,
            owed(asFen(principal), due, ...list.map(m => ({ day: at(m.day), amount: m.amount }))),
            at(asOf),
          ),
        ).toBe(fen < BigInt(x.leastFee ?? 0) ? 0 : Number(fen))
      },
    ),
    { numRuns: 300 },
  )
})

it('LATE-14: the newest rate that has started holds, in whatever order the rates stand', () => {
  const rates = [
    { from: '2025-04-11', rate: '0.001' },
    { rate: '0.0005' },
    { from: '2025-04-06', rate: '0.002' },
  ] as const
  const debt = owed(asFen(100_000), '2025-03-31')
  for (const p of [policy({ rates }), policy({ rates: rates.toReversed() })]) {
    expect(accrueLateFee(p, debt, '2025-04-20')).toBe(5 * 50 + 5 * 200 + 10 * 100)
  }
})

it('LATE-1: a single fen bears a late fee, and the day after the due date or the grace is the first', () => {
  expect(accrueLateFee(policy({ rates: [{ rate: '1' }] }), owed(asFen(1), '2025-03-31'), '2025-04-01')).toBe(
    1,
  )
  expect(accrueLateFee(policy({ on: false }), owed(asFen(56231), '2025-03-31'), '2025-04-10')).toBe(0)
  const beyond = policy({ rates: [{ rate: '0.001' }], graceDays: 5, graceMode: 'beyond' })
  const debt = owed(asFen(100_000), '2025-03-31')
  expect([
    accrueLateFee(beyond, debt, '2025-04-05'),
    accrueLateFee(beyond, debt, '2025-04-06'),
    accrueLateFee({ ...beyond, graceMode: 'all' }, debt, '2025-04-05'),
    accrueLateFee({ ...beyond, graceMode: 'all' }, debt, '2025-04-06'),
  ]).toEqual([0, 100, 0, 600])
})
