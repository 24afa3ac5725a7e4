import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { refundTenders } from './refund-tenders.ts'

/** 300.00 paid: 100.00 from prestore, 200.00 by WeChat transfer. */
const mixed = {
  prestoreAmount: asFen(10000),
  methods: [{ method: 'prestore' }, { method: 'wechatTransfer' }],
} as const

it('REF-9: the prestore part goes back first, the rest by the chosen way', () => {
  expect(refundTenders(mixed, asFen(6000), 'cash', 0)).toEqual([{ method: 'prestore', amount: 6000 }])
  expect(refundTenders(mixed, asFen(15000), 'cash', 0)).toEqual([
    { method: 'prestore', amount: 10000 },
    { method: 'cash', amount: 5000 },
  ])
  expect(refundTenders(mixed, asFen(15000), 'transfer', 0)[1]).toEqual({ method: 'transfer', amount: 5000 })
})

it('REF-9: a second partial refund returns only the prestore that the first one left', () => {
  expect(refundTenders(mixed, asFen(9000), 'original', asFen(6000))).toEqual([
    { method: 'prestore', amount: 4000 },
    { method: 'wechatTransfer', amount: 5000 },
  ])
  expect(refundTenders(mixed, asFen(5000), 'original', asFen(10000))).toEqual([
    { method: 'wechatTransfer', amount: 5000 },
  ])
})

it('REF-2: 转预存 credits all of it; 原路 of a payment without other money is cash', () => {
  expect(refundTenders(mixed, asFen(15000), 'prestore', 0)).toEqual([{ method: 'prestore', amount: 15000 }])
  const prestoreOnly = { prestoreAmount: asFen(100), methods: [{ method: 'prestore' }] } as const
  expect(refundTenders(prestoreOnly, asFen(50), 'original', asFen(100))).toEqual([
    { method: 'cash', amount: 50 },
  ])
})

it('REF-9: partial refunds together return the prestore part once and every fen', () => {
  const fen = fc.integer({ min: 1, max: 5000 })
  fc.assert(
    fc.property(fc.nat(20000), fc.array(fen, { minLength: 1, maxLength: 6 }), (prestoreAmount, amounts) => {
      let returned = 0
      let total = 0
      for (const amount of amounts) {
        for (const tender of refundTenders(
          { ...mixed, prestoreAmount: asFen(prestoreAmount) },
          asFen(amount),
          'cash',
          asFen(returned),
        )) {
          total += tender.amount
          if (tender.method === 'prestore') {
            returned += tender.amount
          }
        }
      }
      const asked = amounts.reduce((sum, amount) => sum + amount, 0)
      expect([total, returned]).toEqual([asked, Math.min(asked, prestoreAmount)])
    }),
  )
})
