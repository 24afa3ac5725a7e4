import { keysOfRecord } from '#kit/domain/records.ts'
import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { codeOf } from '#kit/contract/field.ts'
import { asFen } from '#kit/domain/money.ts'
import { orderState } from '../contract/choices.ts'
import {
  channelOfAuthCode,
  isPrepaidOrder,
  offlineOrderRefusal,
  scanRefusal,
  orderHoldMinutes,
  orderStates,
  judgePayment,
  payeeOf,
  type OrderState,
} from './order.ts'

it('C5.1: an order goes these ways and no other; a closed one is paid by money that came late (PAY-5)', () => {
  const all = keysOfRecord(orderState.rows)
  const code = (s: OrderState): number => Number(codeOf(orderState, s))
  const transitions = all
    .flatMap(a => all.filter(b => orderStates.canTransition(a, b)).map(b => `${code(a)}→${code(b)}`))
    .toSorted()
  expect(transitions).toEqual([
    '10→20',
    '10→30',
    '10→60',
    '20→50',
    '30→20',
    '40→60',
    '60→20',
    '60→30',
    '60→40',
  ])
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

it('TMP-2: an order of prepaid bills alone says so', () => {
  expect([{ refType: 'prepaid' }, { refType: 'other' }, {}].map(isPrepaidOrder)).toEqual([true, false, false])
})

it('PAY-8: an order is charged by scanner or terminal, as what it is', () => {
  const order = { orderType: 'bill' } as const
  expect([
    scanRefusal(order, {}),
    scanRefusal(order, { orderType: 'bill', payType: 'scanner' }),
    scanRefusal(order, { payType: 'pos' }),
  ]).toEqual([undefined, undefined, undefined])
  expect(scanRefusal(order, { orderType: 'prestore' })).toBe(
    '该支付单是「物业账单」，不是「预存」，请核对后重新发起',
  )
  expect(scanRefusal(order, { payType: 'qr' })).toBe('此处只能用扫码枪或 POS 收款，请更换方式')
})

const now = '2026-11-21 09:00:00'

it('PAY-2: the bills of a waiting order may be paid at the counter, all of them, until it expires', () => {
  const order = {
    state: 'waiting',
    orderType: 'bill',
    expireTime: '2026-11-21 09:00:01',
    lines: [{ billId: asId(1) }, { billId: asId(2) }],
  } as const
  const refusalOf = (overrides: object, ids: readonly number[] = [2, 1]) =>
    offlineOrderRefusal({ ...order, ...overrides }, ids.map(asId), now)
  expect(refusalOf({})).toBeUndefined()
  expect(refusalOf({ orderType: 'prestore' })).toBe('该支付单不能在柜台收款')
  const sent = '该支付单已发往支付渠道，请等待结果，或取消后重新办理'
  expect([refusalOf({ state: 'paying' }), refusalOf({ channel: 'wechat' })]).toEqual([sent, sent])
  expect(refusalOf({ state: 'paid' })).toBe('该支付单已支付，请重新办理')
  expect(refusalOf({ expireTime: now })).toBe('该支付单已过期，请重新办理')
  const changed = '账单与支付单不一致，请刷新后重试'
  expect([
    refusalOf({}, [1]),
    refusalOf({}, [1, 3]),
    refusalOf({}, [1, 2, 3]),
    refusalOf({ lines: undefined }),
    refusalOf({ lines: undefined }, []),
  ]).toEqual([changed, changed, changed, changed, undefined])
})
