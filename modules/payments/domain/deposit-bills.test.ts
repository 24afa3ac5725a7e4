import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { depositMixRefusal, depositPaymentRefusal, isDepositBill } from './deposit-bills.ts'

const deposit = { feeType: 'deposit', feeItemName: '装修押金' } as const
const fee = { feeType: 'cyclic', feeItemName: '物业费' } as const

it('C27-8: a deposit is paid apart from what is income', () => {
  expect([isDepositBill(deposit), isDepositBill(fee)]).toEqual([true, false])
  const refusal = '「装修押金」是押金，不是收入，请与其他费用分开收款'
  expect([
    depositMixRefusal([deposit, fee]),
    depositMixRefusal([fee, deposit]),
    depositMixRefusal([deposit, deposit]),
    depositMixRefusal([fee, fee]),
    depositMixRefusal([]),
  ]).toEqual([refusal, refusal, undefined, undefined, undefined])
})

it('C27-8, ACC-3: a deposit is paid in money and whole; other bills as they like', () => {
  const paid = (usesOwnMoney: boolean, remaining: number) =>
    [deposit, fee].map(bill => depositPaymentRefusal([bill], { usesOwnMoney, remaining: asFen(remaining) }))
  expect(paid(false, 0)).toEqual([undefined, undefined])
  expect(paid(false, 1)).toEqual(['「装修押金」是押金，请一次收清', undefined])
  expect(paid(true, 0)).toEqual(['「装修押金」是押金，不能用预存或券支付，请收现金、转账或 POS', undefined])
})
