import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import {
  cancelRefusal,
  endedRefusal,
  feeFaults,
  feeText,
  moneyOfSign,
  unpaidMark,
  type SignBill,
} from './fee.ts'

const yuan = (amount: number) => asFen(amount * 100)
const item = asId(7)

it('asks for an item with a fee alone, and keeps both once somebody has signed up or waits (NOT-2)', () => {
  const fieldsOf = (...asked: Parameters<typeof feeFaults>) => feeFaults(...asked).map(({ Field }) => Field)
  expect(fieldsOf({}, undefined)).toEqual([])
  expect(fieldsOf({ fee: yuan(20) }, undefined)).toEqual(['FeeItemID'])
  const before = { fee: yuan(20), feeItemId: item, signCount: 0, waitCount: 0 }
  expect(fieldsOf({ fee: yuan(30), feeItemId: item }, before)).toEqual([])
  const taken = { ...before, signCount: 1 }
  expect(fieldsOf({ fee: yuan(20), feeItemId: item }, taken)).toEqual([])
  expect(fieldsOf({ fee: yuan(30), feeItemId: item }, taken)).toEqual(['Fee'])
  expect(fieldsOf({}, { ...before, waitCount: 2 })).toEqual(['Fee'])
  expect(fieldsOf({ fee: yuan(20), feeItemId: asId(8) }, taken)).toEqual(['FeeItemID'])
  expect(fieldsOf({ fee: yuan(20) }, { ...taken, fee: undefined, feeItemId: undefined })).toEqual(['Fee'])
})

const owed = { isPaid: false, receivable: yuan(40), paid: yuan(0) }
const paid = { isPaid: true, receivable: yuan(40), paid: yuan(40) }

const of = (...bills: readonly SignBill[]) => ({ bills, hasRefund: false })
const refundedOf = (...bills: readonly SignBill[]) => ({ bills, hasRefund: true })
const nothing = { payState: undefined, feeAmount: 0, paidAmount: 0, refundDue: 0 }

it('a sign-up owes while its bill does, and is paid with it (PAY-4)', () => {
  expect(moneyOfSign({ state: 'signed' }, of(owed))).toMatchObject({ payState: 'unpaid', feeAmount: 4000 })
  expect(moneyOfSign({ state: 'checkedIn' }, of(paid))).toEqual({
    payState: 'paid',
    feeAmount: 4000,
    paidAmount: 4000,
    refundDue: 0,
  })
  // Of a bill that was split, both parts.
  expect(moneyOfSign({ state: 'signed' }, of(paid, owed))).toMatchObject({
    payState: 'unpaid',
    feeAmount: 8000,
    paidAmount: 4000,
  })
  // Waived whole, nothing is owed.
  const waived = { ...paid, receivable: yuan(0), paid: yuan(0) }
  expect(moneyOfSign({ state: 'signed' }, of(waived))).toMatchObject({ payState: 'paid', feeAmount: 0 })
  expect(moneyOfSign({ state: 'signed' }, of())).toEqual(nothing)
  expect(moneyOfSign({ state: 'signed' }, refundedOf())).toMatchObject({ payState: 'refunded' })
})

it('cancelled, what was paid is to go back until it has (REF-2)', () => {
  expect(moneyOfSign({ state: 'cancelled' }, of())).toEqual(nothing)
  expect(moneyOfSign({ state: 'cancelled' }, of(paid))).toEqual({
    payState: 'refundDue',
    feeAmount: 0,
    paidAmount: 4000,
    refundDue: 4000,
  })
  const part = { ...paid, paid: yuan(15) }
  expect(moneyOfSign({ state: 'cancelled' }, refundedOf(part))).toMatchObject({
    payState: 'refundDue',
    refundDue: 1500,
  })
  const kept = { ...paid, paid: yuan(0) }
  expect(moneyOfSign({ state: 'cancelled' }, refundedOf(kept))).toMatchObject({
    payState: 'refunded',
    paidAmount: 0,
  })
  expect(moneyOfSign({ state: 'cancelled' }, refundedOf())).toMatchObject({ payState: 'refunded' })
  // The payment was undone, or the bill was waived: nothing went back.
  expect(moneyOfSign({ state: 'cancelled' }, of(kept))).toEqual(nothing)
})

it('who cancels reads what they can do, staff whose bills stop it (PAY-1)', () => {
  const none = { paying: [], partlyPaid: [] }
  expect(cancelRefusal('activity', none)).toBeUndefined()
  expect(cancelRefusal('resident', { ...none, partlyPaid: ['王*'] })).toBe(
    '费用只缴了一部分，不能自行取消报名，请联系物业办理',
  )
  expect(cancelRefusal('staff', { ...none, partlyPaid: ['王*'] })).toContain('收银台收齐或退款')
  expect(cancelRefusal('activity', { ...none, partlyPaid: ['王*', '李*'] })).toBe(
    '2 人的费用只缴了一部分：王*、李*，请在报名名单收齐或退款后再取消活动',
  )
  const many = Array.from({ length: 6 }, () => '王*')
  expect(cancelRefusal('activity', { paying: ['李*'], partlyPaid: many })).toBe(
    '1 人的费用正在支付中：李*；6 人的费用只缴了一部分：王*、王*、王*、王*、王*等，' +
      '请等支付完成或关闭支付单、在报名名单收齐或退款后再取消活动',
  )
})

it('says why a sign-up that ended owes nothing', () => {
  expect(endedRefusal({ state: 'signed' })).toBeUndefined()
  expect(endedRefusal({ state: 'cancelled', cancelBy: 'resident' })).toContain('报名已取消')
  expect(endedRefusal({ state: 'cancelled', cancelBy: 'activity' })).toContain('活动已取消')
  expect(endedRefusal(undefined)).toContain('报名已删除')
})

it('names the fee, and at the place who has not paid', () => {
  expect(feeText({})).toBe('免费')
  expect(feeText({ fee: yuan(20) })).toBe('20.00 元/人')
  const sign = { payState: 'unpaid', feeAmount: yuan(40), paidAmount: yuan(0) } as const
  expect(unpaidMark(sign)).toContain('未缴费 40.00 元')
  expect(unpaidMark({ ...sign, paidAmount: yuan(15) })).toContain('未缴费 25.00 元')
  expect(unpaidMark({ ...sign, payState: 'paid' })).toBe('')
})
