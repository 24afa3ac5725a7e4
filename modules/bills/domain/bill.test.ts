import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { isPartlyPaid, type BillMoney } from './bill.ts'

const money: BillMoney = {
  amount: asFen(1000),
  discount: 0,
  paidPrincipal: 0,
  lateDue: 0,
  latePaid: 0,
  lateWaived: 0,
  lateManual: false,
}

it('a bill is partly paid between the first fen and the last', () => {
  const paid = [0, 1, 999, 1000].map(paidPrincipal =>
    isPartlyPaid({ ...money, paidPrincipal: asFen(paidPrincipal) }),
  )
  expect(paid).toEqual([false, true, true, false])
})
