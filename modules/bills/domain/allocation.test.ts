import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { firstOfMonth, type Day, padDigits } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allocate, sortTenders, partialPaymentRefusal, roundOff, type OwedBill } from './allocation.ts'
import { accrueLateFee } from './late-fee.ts'
import { deduct, type PrestoreAccount, type DeductRules, type DeductibleBill } from './prestore.ts'

const policy = {
  on: true,
  rates: [{ rate: '0.0005' }],
  graceDays: 0,
  graceMode: 'all',
  capMode: 'none',
} as const

const bills: OwedBill[] = (['2025-03-31', '2025-01-31', '2025-02-28'] as const).map(
  (dueDate, i): OwedBill => ({
    id: asId(i + 1),
    dueDate,
    begin: firstOfMonth(dueDate),
    itemSort: 0,
    principal: asFen(30000),
    late: accrueLateFee(policy, { dueDate, principal: asFen(30000), moves: [] }, '2025-04-10'),
  }),
)

const [c, a, b] = [1, 2, 3]

it('T-PAY-01 late fee first', () => {
  expect(bills.map(x => x.late)).toEqual([150, 1035, 615])
  expect(allocate(bills, asFen(50000), 'lateFirst')).toEqual({
    shares: [
      { id: a, principal: 30000, late: 1035 },
      { id: b, principal: 18350, late: 615 },
    ],
    unallocated: 0,
  })
})

it('T-PAY-02 principal first', () => {
  expect(allocate(bills, asFen(50000), 'principalFirst')).toEqual({
    shares: [
      { id: a, principal: 30000, late: 1035 },
      { id: b, principal: 18965, late: 0 },
    ],
    unallocated: 0,
  })
})

it('PAY-11 every principal before any late fee; PAY-10 selected bills first', () => {
  expect(allocate(bills, asFen(90500), 'allPrincipalFirst').shares).toEqual([
    { id: a, principal: 30000, late: 500 },
    { id: b, principal: 30000, late: 0 },
    { id: c, principal: 30000, late: 0 },
  ])
  expect(allocate(bills, asFen(30000), 'principalFirst', new Set([asId(c)])).shares).toEqual([
    { id: c, principal: 30000, late: 0 },
  ])
  const same: OwedBill[] = [
    { ...defined(bills[0]), id: asId(9), itemSort: 2 },
    { ...defined(bills[0]), id: asId(8), itemSort: 2 },
    { ...defined(bills[0]), id: asId(7), itemSort: 1 },
    { ...defined(bills[0]), id: asId(6), itemSort: 3, begin: '2025-02-01' },
  ]
  expect(allocate(same, asFen(10 ** 9), 'lateFirst').shares.map(s => s.id)).toEqual([6, 7, 8, 9])
  expect(allocate(bills, asFen(10 ** 6), 'lateFirst').unallocated).toBe(10 ** 6 - 90000 - 1800)
})

it('PAY-10: of bills due and started alike the lower item sort is paid first, whatever their ids; then the id', () => {
  const alike: OwedBill = { ...defined(bills[0]), late: 0 }
  const list = [
    { ...alike, id: asId(1), itemSort: 20 },
    { ...alike, id: asId(2), itemSort: 10 },
    { ...alike, id: asId(4), itemSort: 5 },
    { ...alike, id: asId(3), itemSort: 5 },
  ]
  expect(allocate(list, asFen(10 ** 9), 'principalFirst').shares.map(s => s.id)).toEqual([3, 4, 2, 1])
  expect(allocate(list, asFen(45000), 'principalFirst').shares).toEqual([
    { id: 3, principal: 30000, late: 0 },
    { id: 4, principal: 15000, late: 0 },
  ])
})

it('PAY-12 part payments', () => {
  expect(
    [
      partialPaymentRefusal(0, asFen(10), true),
      partialPaymentRefusal(asFen(5), asFen(10), false),
      partialPaymentRefusal(asFen(5), asFen(10), true),
      partialPaymentRefusal(asFen(10), asFen(10), false),
      partialPaymentRefusal(asFen(1), asFen(10), true),
      partialPaymentRefusal(castForTest<Fen>(1.5), asFen(10), true),
    ].map(x => x === undefined),
  ).toEqual([false, false, true, true, true, false])
})

it('T-PAY-06 odd fen let off', () => {
  expect([
    roundOff(asFen(22358), 'fen'),
    roundOff(asFen(22358), 'jiao'),
    roundOff(asFen(22358), 'none'),
    roundOff(asFen(22399), 'jiao'),
  ]).toEqual([
    { pay: 22350, off: 8 },
    { pay: 22300, off: 58 },
    { pay: 22358, off: 0 },
    { pay: 22300, off: 99 },
  ])
})

it('PAY-15 prestore and coupons come first and all must make the sum', () => {
  const lines = [
    { kind: 'money', amount: asFen(100) },
    { kind: 'coupon', amount: asFen(50) },
    { kind: 'prestore', amount: asFen(30) },
  ] as const
  expect(sortTenders(lines, asFen(180))).toEqual([lines[1], lines[2], lines[0]])
  expect(
    [sortTenders(lines, asFen(181)), sortTenders([{ kind: 'money', amount: 0 }], 0)].map(x => typeof x),
  ).toEqual(['string', 'string'])
})

const rules: DeductRules = {
  order: 'principalFirst',
  giftFirst: false,
  deductLate: true,
  wholeBillOnly: false,
}

const owing = (
  id: Id,
  itemId: Id,
  principal: Fen,
  overrides: Partial<DeductibleBill> = {},
): DeductibleBill => ({
  id,
  itemId,
  principal,
  late: 0,
  dueDate: '2025-03-31',
  begin: '2025-03-01',
  itemSort: itemId,
  ...overrides,
})

const account = (id: Id, itemId: Id, balance: Fen, gift = 0): PrestoreAccount => ({
  id,
  itemId,
  balance,
  gift: asFen(gift),
})

it('T-ACC-01 the item’s own account before the general one', () => {
  const result = deduct(
    [account(asId(2), 0, asFen(15000)), account(asId(1), asId(7), asFen(20000))],
    [owing(asId(1), asId(7), asFen(26000)), owing(asId(2), asId(8), asFen(8000))],
    rules,
  )
  expect(result.entries).toEqual([
    { accountId: 1, billId: 1, amount: 20000, gift: false },
    { accountId: 2, billId: 1, amount: 6000, gift: false },
    { accountId: 2, billId: 2, amount: 8000, gift: false },
  ])
  expect([result.paid, result.accounts.map(x => [x.id, x.balance])]).toEqual([
    [
      { billId: 1, principal: 26000, late: 0 },
      { billId: 2, principal: 8000, late: 0 },
    ],
    [
      [2, 1000],
      [1, 0],
    ],
  ])
})

it('T-ACC-03 of two takings from one balance one succeeds', () => {
  const whole = { ...rules, wholeBillOnly: true }
  const one = deduct(
    [account(asId(1), 0, asFen(10000))],
    [owing(asId(1), asId(7), asFen(8000)), owing(asId(2), asId(7), asFen(8000))],
    whole,
  )
  expect([
    one.paid.map(p => p.billId),
    deduct(one.accounts, [owing(asId(2), asId(7), asFen(8000))], whole).paid,
  ]).toEqual([[1], []])
})

it('ACC-3, ACC-5 gift money, due bills only, allowed items, no late fee', () => {
  expect([
    deduct([account(asId(1), 0, asFen(100), 50)], [owing(asId(1), asId(7), asFen(120))], rules).entries,
    deduct([account(asId(1), 0, asFen(100), 50)], [owing(asId(1), asId(7), asFen(120))], {
      ...rules,
      giftFirst: true,
    }).entries,
  ]).toEqual([
    [
      { accountId: 1, billId: 1, amount: 100, gift: false },
      { accountId: 1, billId: 1, amount: 20, gift: true },
    ],
    [
      { accountId: 1, billId: 1, amount: 50, gift: true },
      { accountId: 1, billId: 1, amount: 70, gift: false },
    ],
  ])
  const list = [
    owing(asId(1), asId(7), asFen(100), { late: asFen(10) }),
    owing(asId(2), asId(7), asFen(100), { dueDate: '2025-06-30', begin: '2025-06-01' }),
    owing(asId(3), asId(8), asFen(100)),
  ]
  expect(
    deduct([account(asId(1), 0, asFen(1000))], list, {
      ...rules,
      deductLate: false,
      onlyDueBy: '2025-05-01',
      items: new Set([asId(7)]),
    }).paid,
  ).toEqual([{ billId: 1, principal: 100, late: 0 }])
  const due = (dueDate: Day, begin: Day): number =>
    deduct([account(asId(1), 0, asFen(1000))], [owing(asId(1), asId(7), asFen(100), { dueDate, begin })], {
      ...rules,
      onlyDueBy: '2025-05-01',
    }).paid.length
  expect([
    due('2025-05-01', '2025-06-01'),
    due('2025-06-01', '2025-05-01'),
    due('2025-05-02', '2025-05-02'),
  ]).toEqual([1, 1, 0])
})

it('money is neither made nor lost, whatever is owed and held', () => {
  const fen = fc.nat(5000)
  const order = fc.constantFrom('lateFirst', 'principalFirst', 'allPrincipalFirst')
  const some = fc.array(fc.tuple(fen, fen, fc.nat(3), fc.nat(3)), { maxLength: 8 }).map(l =>
    l.map(([principal, late, item, due], i) =>
      owing(asId(i), asId(item), asFen(principal), {
        late: asFen(late),
        dueDate: `2025-${padDigits(due + 1)}-01`,
      }),
    ),
  )
  fc.assert(
    fc.property(
      some,
      fc.nat(60000),
      order,
      fc.array(fc.tuple(fc.nat(3), fen, fen), { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      (list, amount, o, isHeld, giftFirst, wholeBillOnly) => {
        const result = allocate(list, asFen(amount), o)
        const by = new Map(list.map(x => [x.id, x]))
        expect(result.shares.reduce((s, x) => s + x.principal + x.late, 0) + result.unallocated).toBe(amount)
        for (const s of result.shares) {
          expect(s.principal <= defined(by.get(s.id)).principal && s.late <= defined(by.get(s.id)).late).toBe(
            true,
          )
        }
        if (result.unallocated > 0) {
          expect(result.shares.reduce((s, x) => s + x.principal + x.late, 0)).toBe(
            list.reduce((s, x) => s + x.principal + x.late, 0),
          )
        }
        const accounts = isHeld.map(([item, balance, gift], i) =>
          account(asId(i), asId(item), asFen(balance), gift),
        )
        const d = deduct(accounts, list, { ...rules, order: o, giftFirst, wholeBillOnly })
        const total = (l: readonly PrestoreAccount[]) => l.reduce((s, x) => s + x.balance + x.gift, 0)
        const taken = d.entries.reduce((s, e) => s + e.amount, 0)
        expect([total(d.accounts) + taken, d.paid.reduce((s, p) => s + p.principal + p.late, 0)]).toEqual([
          total(accounts),
          taken,
        ])
        for (const x of d.accounts) {
          expect(x.balance >= 0 && x.gift >= 0).toBe(true)
        }
        for (const p of d.paid) {
          expect(
            wholeBillOnly
              ? p.principal + p.late === defined(by.get(p.billId)).principal + defined(by.get(p.billId)).late
              : p.principal <= defined(by.get(p.billId)).principal,
          ).toBe(true)
        }
      },
    ),
  )
})

it('PAY-15: a tender of a single fen counts', () => {
  const lines = [{ kind: 'money', amount: asFen(1) }] as const
  expect(sortTenders(lines, asFen(1))).toEqual(lines)
})

it('ACC-4: a single fen of prestore pays a fen, and a bill that owes one fen is paid', () => {
  const paidOf = (balance: number, principal: number) =>
    deduct([account(asId(1), 0, asFen(balance))], [owing(asId(1), asId(7), asFen(principal))], rules).paid
  expect([paidOf(1, 100), paidOf(100, 1), paidOf(0, 100), paidOf(100, 0)]).toEqual([
    [{ billId: 1, principal: 1, late: 0 }],
    [{ billId: 1, principal: 1, late: 0 }],
    [],
    [],
  ])
})
