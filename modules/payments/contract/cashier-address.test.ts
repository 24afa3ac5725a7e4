import { expect, it } from 'vitest'
import { cashierAddress } from '../module.ts'

it('the address of the cashier names the object, and its project where the link leaves another', () => {
  expect(cashierAddress(10, 'R 1')).toBe('/finance/chargemanage/cashier?type=10&code=R%201')
  expect(cashierAddress('10', 'R1', 'P&1')).toBe(
    '/finance/chargemanage/cashier?type=10&code=R1&project=P%261',
  )
})
