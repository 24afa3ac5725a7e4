import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { followUpAdviceOf } from './follow-up.ts'

const unpaidBill = {
  kind: 'payer',
  effectiveDate: '2026-10-11',
  begin: '2026-10-01',
  paidPrincipal: asFen(0),
  unpaidPrincipal: asFen(22_358),
  lateFeePaid: asFen(0),
  isInvoiced: false,
} as const

it('C27-7: an unpaid bill is split or passed on, one of a wrong area is made anew', () => {
  expect(followUpAdviceOf(unpaidBill)).toBe('split')
  expect(followUpAdviceOf({ ...unpaidBill, begin: '2026-11-01' })).toBe('payer')
  expect(followUpAdviceOf({ ...unpaidBill, kind: 'area' })).toBe('reissue')
  expect(followUpAdviceOf({ ...unpaidBill, kind: 'ending' })).toBe('credit')
})

it('C27-7: of a bill paid in part, what was paid goes back first; a whole payment is refunded', () => {
  const paidInPart = { ...unpaidBill, paidPrincipal: asFen(5_000), unpaidPrincipal: asFen(17_358) }
  expect(followUpAdviceOf(paidInPart)).toBe('refundFirst')
  expect(followUpAdviceOf({ ...paidInPart, isInvoiced: true })).toBe('refund')
  expect(followUpAdviceOf({ ...unpaidBill, paidPrincipal: asFen(22_358), unpaidPrincipal: asFen(0) })).toBe(
    'refund',
  )
})
