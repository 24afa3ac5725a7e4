import { expect, it } from 'vitest'
import { applyWithdrawal, withdrawalRefusal, type DepositBalance } from './deposit.ts'

const receivedDeposit: DepositBalance = {
  state: 'received',
  balance: 200_000,
  deducted: 0,
  refunded: 0,
  converted: 0,
}

it('C6.3: gives back at most what remains after deductions', () => {
  const less = applyWithdrawal(receivedDeposit, 'deduct', 50_000)
  expect(less).toEqual({ state: 'received', balance: 150_000, deducted: 50_000, refunded: 0, converted: 0 })
  expect(withdrawalRefusal(less, 150_001)).toBe('押金结余 1500.00 元，不能超过它')
  expect(withdrawalRefusal(less, 150_000)).toBeUndefined()
  const part = applyWithdrawal(less, 'refund', 100_000)
  expect([
    part.state,
    applyWithdrawal(part, 'refund', 50_000).state,
    applyWithdrawal(part, 'deduct', 50_000).state,
    applyWithdrawal(part, 'prestore', 50_000).state,
  ]).toEqual(['partRefunded', 'refunded', 'refunded', 'toPrestore'])
})

it('C6.3: what nobody gets back is income; nothing leaves before it came or after it went', () => {
  expect([
    applyWithdrawal(receivedDeposit, 'income', 200_000).state,
    applyWithdrawal(receivedDeposit, 'deduct', 200_000).state,
  ]).toEqual(['toIncome', 'toIncome'])
  expect([
    withdrawalRefusal({ ...receivedDeposit, state: 'waiting', balance: 0 }),
    withdrawalRefusal({ ...receivedDeposit, state: 'refunded', balance: 0 }),
  ]).toEqual(['押金还没有收取', '押金已经办完，没有结余'])
})
