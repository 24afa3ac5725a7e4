import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
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
import { stateOfBills } from './order-state.ts'

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

const zero = asFen(0)

it('a refund is the part of what was paid, with its share of a discount', () => {
  const line = { qty: 30, unitPrice: asFen(500), refunded: 0, refundable: 20 }
  expect(refundAmount([line], asFen(15_000), zero)).toBe(10_000)
  // 150.00 for 135.00: 20 of 30 give 90.00.
  expect(refundAmount([line], asFen(13_500), zero)).toBe(9_000)
  expect(refundAmount([{ ...line, refundable: 30 }], asFen(13_333), zero)).toBe(13_333)
  expect(refundAmount([{ ...line, refundable: 1 }], asFen(100), zero)).toBe(3)
  expect(refundAmount([{ ...line, unitPrice: zero }], zero, zero)).toBe(0)
  // 4 of 7 for 20.00: 11.428… half up; the other three give the rest.
  const seven = { qty: 7, unitPrice: asFen(300), refunded: 0, refundable: 4 }
  expect(refundAmount([seven], asFen(2_000), zero)).toBe(1_143)
  expect(refundAmount([{ ...seven, refunded: 4, refundable: 3 }], asFen(2_000), asFen(1_143))).toBe(857)
})

const boughtLine = fc.record({
  qty: fc.integer({ min: 1, max: 40 }),
  price: fc.integer({ min: 0, max: 2_000 }),
})

it('returns in any steps give no more than was paid; the last gives the rest', () => {
  fc.assert(
    fc.property(
      fc.array(boughtLine, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 100 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
      (bought, percent, steps) => {
        const whole = bought.reduce((sum, { qty, price }) => sum + qty * price, 0)
        const paid = asFen(Math.floor((whole * percent) / 100))
        const refunded = bought.map(() => 0)
        let back = 0
        while (bought.some(({ qty }, i) => defined(refunded[i]) < qty)) {
          const lines = bought.map(({ qty, price }, i) => ({
            qty,
            unitPrice: asFen(price),
            refunded: defined(refunded[i]),
            refundable: Math.min(qty - defined(refunded[i]), defined(steps.next().value)),
          }))
          const amount = refundAmount(lines, paid, asFen(back))
          expect(amount).toBeGreaterThanOrEqual(0)
          back += amount
          expect(back).toBeLessThanOrEqual(paid)
          lines.forEach(({ refundable }, i) => {
            refunded[i] = defined(refunded[i]) + refundable
          })
        }
        expect(back).toBe(paid)
      },
    ),
  )
})

it('an order that was paid is what is left of it', () => {
  const order = { totalQty: 5, refundedQty: 0, state: 'pending' } as const
  expect(stateOfBills({ count: 1, isPaid: true }, order)).toBe('paid')
  expect(stateOfBills({ count: 1, isPaid: true }, { ...order, refundedQty: 2 })).toBe('partRefunded')
  expect(stateOfBills({ count: 1, isPaid: true }, { ...order, refundedQty: 5 })).toBe('refunded')
  expect(stateOfBills({ count: 1, isPaid: false }, { ...order, refundedQty: 2 })).toBe('pending')
  expect(stateOfBills({ count: 0, isPaid: true }, { ...order, state: 'partRefunded' })).toBe('refunded')
  expect(stateOfBills({ count: 0, isPaid: true }, order)).toBe('cancelled')
})

it('a stock that has ended keeps what its orders let go back', () => {
  expect(keptAtExpiry(30, 0)).toBe(0)
  expect(keptAtExpiry(30, 10)).toBe(10)
  expect(keptAtExpiry(5, 10)).toBe(5)
})
