import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { feeFaults, feeText, moneyOfSign, unpaidMark } from './fee.ts'

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

it('a sign-up owes while its bill does, and is paid with it', () => {
  expect(moneyOfSign({ state: 'signed' }, [owed])).toMatchObject({ payState: 'unpaid', feeAmount: 4000 })
  expect(moneyOfSign({ state: 'checkedIn', payState: 'unpaid' }, [paid])).toEqual({
    payState: 'paid',
    feeAmount: 4000,
    paidAmount: 4000,
    refundDue: 0,
  })
  // Of a bill that was split, both parts.
  expect(moneyOfSign({ state: 'signed' }, [paid, owed])).toMatchObject({
    payState: 'unpaid',
    feeAmount: 8000,
    paidAmount: 4000,
  })
  // Waived whole, nothing is owed.
  expect(moneyOfSign({ state: 'signed' }, [{ ...paid, receivable: yuan(0), paid: yuan(0) }])).toMatchObject({
    payState: 'paid',
    feeAmount: 0,
  })
  expect(moneyOfSign({ state: 'signed', payState: 'unpaid' }, [])).toMatchObject({ payState: undefined })
  expect(moneyOfSign({ state: 'signed', payState: 'paid' }, [])).toMatchObject({ payState: 'refunded' })
})

it('cancelled, what was paid is to go back until it has', () => {
  expect(moneyOfSign({ state: 'cancelled', payState: 'unpaid' }, [])).toEqual({
    payState: undefined,
    feeAmount: 0,
    paidAmount: 0,
    refundDue: 0,
  })
  expect(moneyOfSign({ state: 'cancelled', payState: 'paid' }, [paid])).toEqual({
    payState: 'refundDue',
    feeAmount: 0,
    paidAmount: 4000,
    refundDue: 4000,
  })
  const part = { ...paid, paid: yuan(15) }
  expect(moneyOfSign({ state: 'cancelled', payState: 'refundDue' }, [part])).toMatchObject({
    payState: 'refundDue',
    refundDue: 1500,
  })
  const kept = { ...paid, paid: yuan(0) }
  expect(moneyOfSign({ state: 'cancelled', payState: 'refundDue' }, [kept])).toMatchObject({
    payState: 'refunded',
    paidAmount: 0,
  })
  expect(moneyOfSign({ state: 'cancelled', payState: 'refunded' }, [])).toMatchObject({
    payState: 'refunded',
  })
})

it('names the fee, and at the place who has not paid', () => {
  expect(feeText({})).toBe('免费')
  expect(feeText({ fee: yuan(20) })).toBe('20.00 元/人')
  const sign = { payState: 'unpaid', feeAmount: yuan(40), paidAmount: yuan(0) } as const
  expect(unpaidMark(sign)).toContain('未缴费 40.00 元')
  expect(unpaidMark({ ...sign, paidAmount: yuan(15) })).toContain('未缴费 25.00 元')
  expect(unpaidMark({ ...sign, payState: 'paid' })).toBe('')
})
