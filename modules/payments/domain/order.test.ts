import { keysOfRecord } from '#kit/domain/records.ts'
import { expect, it } from 'vitest'
import { codeOf } from '#kit/contract/field.ts'
import { asFen } from '#kit/domain/money.ts'
import { orderState } from '../contract/choices.ts'
import {
  channelOfAuthCode,
  orderHoldMinutes,
  orderStates,
  judgePayment,
  payeeOf,
  type OrderState,
} from './order.ts'

it('C5.1: an order goes these ways and no other; a closed one is paid by money that came late (PAY-5)', () => {
  const all = keysOfRecord(orderState.rows)
  const code = (s: OrderState): number => Number(codeOf(orderState, s))
  const ways = all
    .flatMap(a => all.filter(b => orderStates.canTransition(a, b)).map(b => `${code(a)}→${code(b)}`))
    .toSorted()
  expect(ways).toEqual(['10→20', '10→30', '10→60', '20→50', '30→20', '40→60', '60→20', '60→30', '60→40'])
})

it('PAY-3, PAY-5, PAY-6: what a channel’s word makes of an order', () => {
  const reported = { amount: asFen(20000), transactionId: 'T1' }
  expect(judgePayment({ state: 'waiting', amount: asFen(20000) }, reported, true)).toBe('settle')
  expect(judgePayment({ state: 'paying', amount: asFen(20000) }, reported, false)).toBe('late')
  expect(judgePayment({ state: 'closed', amount: asFen(20000) }, reported, true)).toBe('settle')
  expect(judgePayment({ state: 'paid', amount: asFen(20000), transactionId: 'T1' }, reported, false)).toBe(
    'known',
  )
  expect(
    judgePayment({ state: 'refunded', amount: asFen(20000), transactionId: 'T1' }, reported, false),
  ).toBe('known')
  expect(judgePayment({ state: 'paid', amount: asFen(20000), transactionId: 'T0' }, reported, false)).toBe(
    'double',
  )
  expect(judgePayment({ state: 'paying', amount: asFen(20001) }, reported, true)).toBe('odd')
})

it('a scanned code says whose it is', () => {
  expect([
    channelOfAuthCode('134567890123456780'),
    channelOfAuthCode('100000000000000000'),
    channelOfAuthCode('281234567890123450'),
    channelOfAuthCode('3012345678901234'),
  ]).toEqual(['wechat', 'wechat', 'alipay', 'alipay'])
  expect([
    channelOfAuthCode('160000000000000000'),
    channelOfAuthCode('6901234567892'),
    channelOfAuthCode(''),
  ]).toEqual([undefined, undefined, undefined])
})

it('what a company buys of the platform is paid to the platform, everything else to the company', () => {
  const payees = (['renewal', 'sms', 'bill', 'prestore'] as const).map(payeeOf)
  expect(payees).toEqual(['platform', 'platform', 'company', 'company'])
  expect(orderHoldMinutes).toBe(15)
})
