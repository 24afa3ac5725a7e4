import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { applyWithdrawal, depositKindOf, withdrawalRefusal, type DepositBalance } from './deposit.ts'

const receivedDeposit: DepositBalance = {
  state: 'received',
  balance: asFen(200_000),
  deducted: 0,
  refunded: 0,
  converted: 0,
  income: 0,
}

it('C6.3: refunds at most what remains after deductions', () => {
  const less = applyWithdrawal(receivedDeposit, 'deduct', asFen(50_000))
  expect(less).toEqual({
    state: 'received',
    balance: 150_000,
    deducted: 50_000,
    refunded: 0,
    converted: 0,
    income: 0,
  })
  expect(withdrawalRefusal(less, asFen(150_001))).toBe('不能超过押金结余 1,500.00 元')
  expect(withdrawalRefusal(less, asFen(150_000))).toBeUndefined()
  const part = applyWithdrawal(less, 'refund', asFen(100_000))
  expect([
    part.state,
    applyWithdrawal(part, 'refund', asFen(50_000)).state,
    applyWithdrawal(part, 'deduct', asFen(50_000)).state,
    applyWithdrawal(part, 'prestore', asFen(50_000)).state,
  ]).toEqual(['partRefunded', 'toIncome', 'toIncome', 'toIncome'])
})

it('C6.3: what nobody gets back is income; nothing leaves before it came or after it went', () => {
  expect([
    applyWithdrawal(receivedDeposit, 'income', asFen(200_000)).state,
    applyWithdrawal(receivedDeposit, 'deduct', asFen(200_000)).state,
  ]).toEqual(['toIncome', 'toIncome'])
  expect([
    withdrawalRefusal({ ...receivedDeposit, state: 'waiting', balance: 0 }),
    withdrawalRefusal({ ...receivedDeposit, state: 'refunded', balance: 0 }),
  ]).toEqual(['押金尚未收取', '押金已结清，没有结余'])
})

it('C6.3: each way of leaving has its own sum', () => {
  const sumsAfter = (withdrawal: 'deduct' | 'refund' | 'income' | 'prestore') => {
    const { deducted, refunded, converted } = applyWithdrawal(
      { ...receivedDeposit, deducted: asFen(10), refunded: asFen(20), converted: asFen(30) },
      withdrawal,
      asFen(5),
    )
    return [deducted, refunded, converted]
  }
  expect(sumsAfter('deduct')).toEqual([15, 20, 30])
  expect(sumsAfter('refund')).toEqual([10, 25, 30])
  expect(sumsAfter('income')).toEqual([10, 20, 35])
  expect(sumsAfter('prestore')).toEqual([10, 20, 35])
})

it('C6.3: a single fen left or refunded counts', () => {
  const oneFenLeft = applyWithdrawal(receivedDeposit, 'deduct', asFen(199_999))
  expect(oneFenLeft).toMatchObject({ state: 'received', balance: 1 })
  expect(withdrawalRefusal({ state: 'partRefunded', balance: asFen(1) })).toBeUndefined()
  const oneFenRefunded = applyWithdrawal(receivedDeposit, 'refund', asFen(1))
  expect(oneFenRefunded.state).toBe('partRefunded')
  expect(applyWithdrawal(oneFenRefunded, 'deduct', asFen(199_999)).state).toBe('toIncome')
  expect(withdrawalRefusal({ state: 'received', balance: 0 })).toBe('不能超过押金结余 0.00 元')
})

it('C27-12: ends by what became of its parts, in whatever order they went', () => {
  const endOf = (...withdrawals: ('deduct' | 'refund' | 'income' | 'prestore')[]) =>
    withdrawals.reduce<DepositBalance>(
      (d, withdrawal, i) =>
        applyWithdrawal(d, withdrawal, i === withdrawals.length - 1 ? d.balance : asFen(10_000)),
      receivedDeposit,
    ).state
  expect([endOf('refund'), endOf('refund', 'refund')]).toEqual(['refunded', 'refunded'])
  expect([endOf('income', 'refund'), endOf('deduct', 'prestore'), endOf('prestore', 'income')]).toEqual([
    'toIncome',
    'toIncome',
    'toIncome',
  ])
  expect([endOf('prestore', 'refund'), endOf('refund', 'prestore')]).toEqual(['toPrestore', 'toPrestore'])
})

it('C27-8: a deposit item says by its name what kind of deposit it is', () => {
  expect(['装修押金', '商铺租赁保证金', '门禁卡押金', '场地保证金'].map(depositKindOf)).toEqual([
    'fitting',
    'lease',
    'card',
    'other',
  ])
})
