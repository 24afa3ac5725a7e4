import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { describePayment, type PaymentResult } from './describe-payment.ts'

const result = (overrides: Partial<PaymentResult>): PaymentResult => ({
  recordId: asId(1),
  recordNo: 'SK1',
  receiptNo: 'SJ1',
  tendered: asFen(20_000),
  received: asFen(20_000),
  principal: asFen(20_000),
  late: 0,
  roundOff: 0,
  change: 0,
  toPrestore: 0,
  unpaid: 0,
  settledCount: 3,
  unsettledCount: 0,
  ...overrides,
})

it.each<readonly [string, Partial<PaymentResult>, string]>([
  ['all that was asked for', {}, '已收 ¥200.00，收据 SJ1'],
  [
    'cash with change',
    { received: asFen(15_366), change: asFen(4634) },
    '已收 ¥153.66，找零 ¥46.34，收据 SJ1',
  ],
  ['prestore alone: no money came in', { received: 0 }, '预存抵扣 ¥200.00，收据 SJ1'],
  [
    'a part: what it paid and what is left, not all that were selected',
    { unpaid: asFen(5000), settledCount: 2, unsettledCount: 1 },
    '已收 ¥200.00，结清 2 张，未收 ¥50.00（1 张），收据 SJ1',
  ],
  ['rounded off', { roundOff: asFen(66) }, '已收 ¥200.00，抹零 ¥0.66，收据 SJ1'],
  ['too much, kept', { toPrestore: asFen(1000) }, '已收 ¥200.00，转预存 ¥10.00，收据 SJ1'],
])('%s', (_, overrides, text) => {
  expect(describePayment(result(overrides))).toBe(text)
})
