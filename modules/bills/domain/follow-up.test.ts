import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { findMisfit, followUpAdviceOf } from './follow-up.ts'

const unpaidBill = {
  kind: 'payer',
  effectiveDate: '2026-10-11',
  begin: '2026-10-01',
  paidPrincipal: asFen(0),
  unpaidPrincipal: asFen(22_358),
  lateFeePaid: asFen(0),
  isInvoiced: false,
} as const

it('C27-7: an unpaid bill is split or passed on, one with a wrong area is reissued', () => {
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

const charged = { begin: '2026-10-01', end: '2026-10-31', payer: 7, amount: asFen(3_100) } as const

it('PRO-7: a bill fits as long as its days cost the same and are one payer’s', () => {
  const halves = (payer: number | undefined, amount: number) => [
    { ...charged, end: '2026-10-10', amount: asFen(1_000) } as const,
    { ...charged, begin: '2026-10-11', payer, amount: asFen(amount) } as const,
  ]
  const misfit = (payer: number | undefined, amount: number, bill: { payer: number | undefined } = charged) =>
    findMisfit({ ...charged, ...bill }, halves(payer, amount), '2026-10-05')
  expect([misfit(7, 2_100), misfit(undefined, 2_100), misfit(8, 2_100, { payer: undefined })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(misfit(8, 2_100)).toEqual({ kind: 'payer', effectiveDate: '2026-10-11', payer: 8, amount: 2_100 })
  expect(misfit(7, 2_099)).toEqual({ kind: 'area', effectiveDate: '2026-10-05', payer: 7, amount: -1 })
  expect(misfit(7, 2_200)).toMatchObject({ kind: 'area', amount: 100 })
  expect(findMisfit(charged, halves(7, 2_200), '2026-09-05')?.effectiveDate).toBe('2026-10-01')
  expect(findMisfit(charged, halves(7, 2_200), '2026-10-01')?.effectiveDate).toBe('2026-10-01')
})

it('C27-7: a fen paid, of principal or late fee, or an invoice keeps a bill from being split', () => {
  expect(followUpAdviceOf({ ...unpaidBill, paidPrincipal: asFen(1), unpaidPrincipal: asFen(1) })).toBe(
    'refundFirst',
  )
  expect(followUpAdviceOf({ ...unpaidBill, lateFeePaid: asFen(1) })).toBe('refundFirst')
  expect(followUpAdviceOf({ ...unpaidBill, isInvoiced: true })).toBe('refund')
  expect(followUpAdviceOf({ ...unpaidBill, begin: unpaidBill.effectiveDate })).toBe('payer')
})
