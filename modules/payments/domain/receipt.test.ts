import { expect, it } from 'vitest'
import { receiptDocTypeOf, reprintLabel } from './receipt.ts'

it('prints money that goes out as a refund, other money by the kind of its record', () => {
  const docTypes = [
    receiptDocTypeOf({ recordType: 'payment', receivedAmount: 100 }),
    receiptDocTypeOf({ recordType: 'payment', receivedAmount: 0 }),
    receiptDocTypeOf({ recordType: 'prestore', receivedAmount: 100 }),
    receiptDocTypeOf({ recordType: 'deposit', receivedAmount: 100 }),
    receiptDocTypeOf({ recordType: 'deposit', receivedAmount: -1 }),
    receiptDocTypeOf({ recordType: 'refund', receivedAmount: 100 }),
  ]
  expect(docTypes).toEqual(['receipt', 'receipt', 'prestore', 'deposit', 'refund', 'refund'])
})

it('PAY-20: marks every printing but the first', () => {
  expect([reprintLabel(1), reprintLabel(2), reprintLabel(3)]).toEqual([
    '',
    '（补打第 1 次）',
    '（补打第 2 次）',
  ])
})
