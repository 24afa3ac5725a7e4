import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import {
  codeEnd,
  couponRefusal,
  couponText,
  couponValue,
  faceValueFault,
  keptAtExpiry,
  refundAmount,
  ticketEnd,
} from './coupon.ts'

it('a face value is minutes, fen, or the percent that is still paid (PRK-23)', () => {
  expect(couponValue({ kind: 'minutes', faceValue: '120.0000' })).toBe(120)
  expect(couponValue({ kind: 'amount', faceValue: '5.5000' })).toBe(550)
  expect(couponValue({ kind: 'discount', faceValue: '80' })).toBe(80)
  expect(couponValue({ kind: 'free' })).toBe(0)
  expect(couponText({ kind: 'minutes', faceValue: '120.0000' })).toBe('时长券 120 分钟')
  expect(couponText({ kind: 'discount', faceValue: '80' })).toBe('折扣券 付 80%')
})

it('a face value must fit its kind', () => {
  expect(faceValueFault({ kind: 'minutes', faceValue: '90.5' })).toContain('整数')
  expect(faceValueFault({ kind: 'amount', faceValue: '5.005' })).toContain('两位小数')
  expect(faceValueFault({ kind: 'amount', faceValue: '5.5000' })).toBeUndefined()
  expect(faceValueFault({ kind: 'discount', faceValue: '100' })).toContain('小于 100')
  expect(faceValueFault({ kind: 'discount', faceValue: '99' })).toBeUndefined()
  expect(faceValueFault({ kind: 'free', faceValue: '3' })).toContain('免费券')
  expect(faceValueFault({ kind: 'minutes' })).toContain('大于 0')
})

it('a ticket ends after its days, at the latest with its coupon', () => {
  expect(ticketEnd({ validDays: 1 }, '2026-11-21')).toBe('2026-11-21')
  expect(ticketEnd({ validDays: 7 }, '2026-11-21')).toBe('2026-11-27')
  expect(ticketEnd({ validDays: 7, validTo: '2026-11-25' }, '2026-11-21')).toBe('2026-11-25')
  expect(ticketEnd({ validTo: '2026-12-31' }, '2026-11-21')).toBe('2026-12-31')
  expect(codeEnd({ validTo: '2026-12-31' }, '2026-11-21')).toBe('2026-12-31')
  expect(codeEnd({}, '2026-11-21')).toBe('2027-05-20')
})

it('a coupon that is off or has ended is neither bought nor presented', () => {
  const coupon = { couponName: '两小时', state: 'on', validTo: '2026-11-21' } as const
  expect(couponRefusal(coupon, '2026-11-21')).toBeUndefined()
  expect(couponRefusal(coupon, '2026-11-22')).toContain('已过期')
  expect(couponRefusal({ ...coupon, state: 'off' }, '2026-11-21')).toContain('已停用')
})

it('a refund is the part of what was paid, with its share of a discount', () => {
  const line = { qty: 30, unitPrice: asFen(500), refundable: 20 }
  expect(refundAmount([line], asFen(15_000))).toBe(10_000)
  // 150.00 for 135.00: 20 of 30 give 90.00.
  expect(refundAmount([line], asFen(13_500))).toBe(9_000)
  expect(refundAmount([{ ...line, refundable: 30 }], asFen(13_333))).toBe(13_333)
  expect(refundAmount([{ ...line, refundable: 1 }], asFen(100))).toBe(3)
  expect(refundAmount([{ ...line, unitPrice: asFen(0) }], asFen(0))).toBe(0)
})

it('a stock that has ended keeps what its orders let go back', () => {
  expect(keptAtExpiry(30, 0)).toBe(0)
  expect(keptAtExpiry(30, 10)).toBe(10)
  expect(keptAtExpiry(5, 10)).toBe(5)
})
