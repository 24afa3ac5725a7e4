import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { listedVoidRefusal, recoverRefusal, voidRefusal } from './void.ts'

const day = '2026-11-21'

const paidRecord: Parameters<typeof voidRefusal>[0] = {
  recordType: 'payment',
  state: 'normal',
  methods: [{ method: 'cash', amount: asFen(35000) }],
  payDay: day,
  refundingAmount: 0,
  invoicedAmount: 0,
}

it('PAY-21: voids only what was entered today at the counter, not invoiced, nothing of it going back', () => {
  expect(voidRefusal(paidRecord, day)).toBeUndefined()
  expect(voidRefusal({ ...paidRecord, recordType: 'refund' }, day)).toBe('只有收款记录可以作废')
  expect(voidRefusal({ ...paidRecord, state: 'partRefunded' }, day)).toBe('已有退款的收款不能作废')
  expect(voidRefusal({ ...paidRecord, methods: [{ method: 'wechat', amount: asFen(35000) }] }, day)).toBe(
    '线上支付的款项不能作废，请办理退款',
  )
  expect(voidRefusal(paidRecord, '2026-11-22')).toBe('只能作废当天的收款，以前的请办理退款')
  // Taken after its day was closed: booked on the next one.
  expect(voidRefusal(paidRecord, '2026-11-20')).toBeUndefined()
  expect(recoverRefusal({ state: 'voided', payDay: day }, '2026-11-20')).toBeUndefined()
  expect(voidRefusal({ ...paidRecord, invoicedAmount: asFen(100) }, day)).toBe('该缴费已开票，请先红冲发票')
  expect(voidRefusal({ ...paidRecord, refundingAmount: asFen(100) }, day)).toBe(
    '该缴费正在退款，请先取消退款',
  )
  expect([
    recoverRefusal({ state: 'voided', payDay: day }, day),
    recoverRefusal({ state: 'voided', payDay: day }, '2026-11-22'),
    recoverRefusal(paidRecord, day),
  ]).toEqual([undefined, '只能恢复当天作废的收款', '只有已作废的收款可以恢复'])
})

it('PAY-21: a list says before that a record cannot be voided', () => {
  expect(listedVoidRefusal(paidRecord, day)).toBeUndefined()
  expect(listedVoidRefusal({ ...paidRecord, dayClosed: true }, day)).toBe('当天已日结，请办理退款')
  expect(listedVoidRefusal({ ...paidRecord, refundingAmount: asFen(1) }, day)).toBe(
    '该缴费正在退款，请先取消退款',
  )
})

it('PAY-21: prestore and coupons are voided like cash; a fen on an invoice or going back forbids it', () => {
  const byMethod = (method: 'parkCoupon' | 'prestore') => ({
    ...paidRecord,
    methods: [{ method, amount: asFen(35000) }],
  })
  expect([voidRefusal(byMethod('parkCoupon'), day), voidRefusal(byMethod('prestore'), day)]).toEqual([
    undefined,
    undefined,
  ])
  expect(voidRefusal({ ...paidRecord, invoicedAmount: asFen(1) }, day)).toBe('该缴费已开票，请先红冲发票')
  expect(voidRefusal({ ...paidRecord, refundingAmount: asFen(1) }, day)).toBe('该缴费正在退款，请先取消退款')
  expect(voidRefusal({ ...paidRecord, state: 'voided' }, day)).toBe('该记录已作废')
})
