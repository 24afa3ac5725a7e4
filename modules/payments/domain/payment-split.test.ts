import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { asFen, type Fen } from '#kit/domain/money.ts'
import {
  billsAfterPayment,
  restoreRoundOff,
  splitPayment,
  sumDue,
  type BillDue,
  type BillShare,
} from './payment-split.ts'
import type { RoundedDue } from './tender-sums.ts'

/** C5.2: bills A and B of 300.00, with late fees of 10.35 and 6.15. */
const bills: readonly BillDue[] = [
  { billId: asId(1), principal: asFen(30000), late: asFen(1035) },
  { billId: asId(2), principal: asFen(30000), late: asFen(615) },
]

const { total } = sumDue(bills)
const cash = (tendered: Fen) => ({ tendered, cash: tendered, keepsChange: false })

const notPartial = (): never => {
  throw new Error('the amount covers the bills')
}

it('PAY-1: what the bills owe together', () => {
  expect(sumDue(bills)).toEqual({ principal: 60000, late: 1650, total: 61650 })
  expect(sumDue([])).toEqual({ principal: 0, late: 0, total: 0 })
})

it('PAY-10, T-PAY-05: money that covers the bills pays each whole; the rest is change or prestore', () => {
  const due: RoundedDue = { pay: total, off: 0 }
  const whole = bills.map(b => ({ ...b, off: 0 }))
  expect(splitPayment(bills, due, cash(total), notPartial)).toEqual({
    allocations: whole,
    change: 0,
    toPrestore: 0,
    roundedOff: 0,
    remaining: 0,
  })
  expect(splitPayment(bills, due, cash(asFen(total + 8200)), notPartial)).toMatchObject({
    change: 8200,
    toPrestore: 0,
  })
  expect(
    splitPayment(bills, due, { tendered: asFen(total + 8200), cash: 0, keepsChange: false }, notPartial),
  ).toMatchObject({ allocations: whole, change: 0, toPrestore: 8200 })
})

it('PAY-12: money that does not is spread by the order of the project, or refused', () => {
  const due: RoundedDue = { pay: total, off: 0 }
  const lateFirst = (amount: Fen): readonly BillShare[] => [
    { billId: asId(1), principal: asFen(30000), late: asFen(1035) },
    { billId: asId(2), principal: asFen(amount - 31650), late: asFen(615) },
  ]
  expect(splitPayment(bills, due, cash(asFen(50000)), lateFirst)).toEqual({
    allocations: [
      { billId: 1, principal: 30000, late: 1035 },
      { billId: 2, principal: 18350, late: 615 },
    ],
    change: 0,
    toPrestore: 0,
    roundedOff: 0,
    remaining: 11650,
  })
  expect(splitPayment(bills, due, cash(asFen(1)), () => '本项目不允许部分缴费')).toBe('本项目不允许部分缴费')
})

it('T-PAY-06, PAY-14: what is rounded off comes off the last principals', () => {
  const one: BillDue[] = [{ billId: asId(1), principal: asFen(22358), late: 0 }]
  expect(splitPayment(one, { pay: asFen(22350), off: asFen(8) }, cash(asFen(22350)), notPartial)).toEqual({
    allocations: [{ billId: 1, principal: 22350, late: 0, off: 8 }],
    change: 0,
    toPrestore: 0,
    roundedOff: 8,
    remaining: 0,
  })
  const smallLast: BillDue[] = [
    { billId: asId(1), principal: asFen(100), late: 0 },
    { billId: asId(2), principal: asFen(5), late: asFen(3) },
    { billId: asId(3), principal: 0, late: 0 },
  ]
  expect(
    splitPayment(smallLast, { pay: asFen(100), off: asFen(8) }, cash(asFen(100)), notPartial),
  ).toMatchObject({
    allocations: [
      { billId: 1, principal: 97, late: 0, off: 3 },
      { billId: 2, principal: 0, late: 3, off: 5 },
    ],
  })
  const lateOnly = [{ billId: asId(1), principal: asFen(3), late: asFen(55) }]
  expect(splitPayment(lateOnly, { pay: asFen(50), off: asFen(8) }, cash(asFen(50)), notPartial)).toBe(
    '抹零金额大于本金，请取消抹零',
  )
})

it('PAY-14: a partial payment is not rounded off', () => {
  const one: BillDue[] = [{ billId: asId(1), principal: asFen(22358), late: 0 }]
  const allocate = (amount: Fen): BillShare[] => [{ billId: asId(1), principal: amount, late: 0 }]
  expect(splitPayment(one, { pay: asFen(22350), off: asFen(8) }, cash(asFen(20000)), allocate)).toMatchObject(
    {
      roundedOff: 0,
      remaining: 2358,
    },
  )
})

it('PAY-10: a bill that owes a single fen is paid too, one that owes nothing is left out', () => {
  const dues: BillDue[] = [
    { billId: asId(1), principal: asFen(1), late: 0 },
    { billId: asId(2), principal: 0, late: 0 },
  ]
  expect(splitPayment(dues, { pay: asFen(1), off: 0 }, cash(asFen(1)), notPartial)).toMatchObject({
    allocations: [{ billId: 1, principal: 1, late: 0, off: 0 }],
  })
})

it('PAY-14: refuses to round off a fen more than the principals', () => {
  const lateOnly = [{ billId: asId(1), principal: asFen(7), late: asFen(51) }]
  expect(splitPayment(lateOnly, { pay: asFen(50), off: asFen(8) }, cash(asFen(50)), notPartial)).toBe(
    '抹零金额大于本金，请取消抹零',
  )
})

it('PAY-10: a bill whose late fee is as large as its principal is paid', () => {
  const dues: BillDue[] = [
    { billId: asId(1), principal: asFen(5), late: asFen(5) },
    { billId: asId(2), principal: 0, late: asFen(2) },
  ]
  expect(splitPayment(dues, { pay: asFen(12), off: 0 }, cash(asFen(12)), notPartial)).toMatchObject({
    allocations: [
      { billId: 1, principal: 5, late: 5, off: 0 },
      { billId: 2, principal: 0, late: 2, off: 0 },
    ],
  })
})

it('PAY-14: a payment taken again lets off of each bill what was let off before', () => {
  const owed: readonly BillDue[] = [
    { billId: asId(1), principal: asFen(10005), late: 0 },
    { billId: asId(2), principal: asFen(3), late: asFen(200) },
  ]
  const split = splitPayment(owed, { pay: asFen(10200), off: asFen(8) }, cash(asFen(10200)), notPartial)
  if (typeof split === 'string') throw new Error(split)
  const paid = split.allocations.map(({ billId, principal, late }) => ({ billId, principal, late }))
  const principals = new Map(owed.map(bill => [bill.billId, bill.principal]))
  expect(restoreRoundOff(paid, principals, asFen(8))).toEqual(split.allocations)
  expect(restoreRoundOff(paid, principals, 0)).toEqual(paid.map(bill => ({ ...bill, off: 0 })))
  principals.set(asId(2), asFen(2)).set(asId(1), asFen(10006))
  expect(restoreRoundOff(paid, principals, asFen(8))?.map(bill => bill.off)).toEqual([6, 2])
  principals.set(asId(1), asFen(10000))
  expect(restoreRoundOff(paid, principals, asFen(8))).toBeUndefined()
})

it('PAY-12: what a part settles is counted apart from what is still owed', () => {
  const share = (billId: number, principal: number, late: number, off = 0): BillShare => ({
    billId: asId(billId),
    principal: asFen(principal),
    late: asFen(late),
    off: asFen(off),
  })
  const after = (shares: readonly BillShare[], waivesLate = false) =>
    billsAfterPayment(bills, shares, waivesLate)
  expect(after([share(1, 30000, 1035), share(2, 30000, 615)])).toEqual({
    settledCount: 2,
    unsettledCount: 0,
    unpaid: 0,
  })
  expect(after([share(1, 30000, 1035)])).toEqual({ settledCount: 1, unsettledCount: 1, unpaid: 30615 })
  expect(after([share(1, 30000, 1035), share(2, 18350, 615)])).toMatchObject({
    settledCount: 1,
    unpaid: 11650,
  })
  // PAY-14: what is let off is not owed.
  expect(after([share(1, 30000, 1035), share(2, 29950, 615, 50)]).unpaid).toBe(0)
  // LATE-9: with the principal goes what is left of the late fee.
  expect(after([share(1, 30000, 0)])).toMatchObject({ settledCount: 0, unpaid: 31650 })
  expect(after([share(1, 30000, 0)], true)).toMatchObject({ settledCount: 1, unpaid: 30615 })
})
