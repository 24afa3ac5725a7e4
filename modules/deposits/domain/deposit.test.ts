import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { applyWithdrawal, withdrawalRefusal, type DepositBalance } from './deposit.ts'

const receivedDeposit: DepositBalance = {
  state: 'received',
  balance: asFen(200_000),
  deducted: 0,
  refunded: 0,
  converted: 0,
}

it('C6.3: gives back at most what remains after deductions', () => {
  const less = applyWithdrawal(receivedDeposit, 'deduct', asFen(50_000))
  expect(less).toEqual({ state: 'received', balance: 150_000, deducted: 50_000, refunded: 0, converted: 0 })
  expect(withdrawalRefusal(less, asFen(150_001))).toBe('押金结余 1500.00 元，不能超过它')
  expect(withdrawalRefusal(less, asFen(150_000))).toBeUndefined()
  const part = applyWithdrawal(less, 'refund', asFen(100_000))
  expect([
    part.state,
    applyWithdrawal(part, 'refund', asFen(50_000)).state,
    applyWithdrawal(part, 'deduct', asFen(50_000)).state,
    applyWithdrawal(part, 'prestore', asFen(50_000)).state,
  ]).toEqual(['partRefunded', 'refunded', 'refunded', 'toPrestore'])
})

it('C6.3: what nobody gets back is income; nothing leaves before it came or after it went', () => {
  expect([
    applyWithdrawal(receivedDeposit, 'income', asFen(200_000)).state,
    applyWithdrawal(receivedDeposit, 'deduct', asFen(200_000)).state,
  ]).toEqual(['toIncome', 'toIncome'])
  expect([
    withdrawalRefusal({ ...receivedDeposit, state: 'waiting', balance: 0 }),
    withdrawalRefusal({ ...receivedDeposit, state: 'refunded', balance: 0 }),
  ]).toEqual(['押金还没有收取', '押金已经办完，没有结余'])
})

it('C6.3: each way of leaving is summed by itself', () => {
  const sumsAfter = (way: 'deduct' | 'refund' | 'income' | 'prestore') => {
    const { deducted, refunded, converted } = applyWithdrawal(
      { ...receivedDeposit, deducted: asFen(10), refunded: asFen(20), converted: asFen(30) },
      way,
      asFen(5),
    )
    return [deducted, refunded, converted]
  }
  expect(sumsAfter('deduct')).toEqual([15, 20, 30])
  expect(sumsAfter('refund')).toEqual([10, 25, 30])
  expect(sumsAfter('income')).toEqual([10, 20, 35])
  expect(sumsAfter('prestore')).toEqual([10, 20, 35])
})

it('C6.3: a single fen left or given back counts', () => {
  const oneFenLeft = applyWithdrawal(receivedDeposit, 'deduct', asFen(199_999))
  expect(oneFenLeft).toMatchObject({ state: 'received', balance: 1 })
  expect(withdrawalRefusal({ state: 'partRefunded', balance: asFen(1) })).toBeUndefined()
  const oneFenRefunded = applyWithdrawal(receivedDeposit, 'refund', asFen(1))
  expect(oneFenRefunded.state).toBe('partRefunded')
  expect(applyWithdrawal(oneFenRefunded, 'deduct', asFen(199_999)).state).toBe('refunded')
  expect(withdrawalRefusal({ state: 'received', balance: 0 })).toBe('押金结余 0.00 元，不能超过它')
})
