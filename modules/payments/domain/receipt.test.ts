import { expect, it } from 'vitest'
import { receiptDocTypeOf, reprintLabel } from './receipt.ts'

it('prints money that goes out as a refund, other money by the kind of its record', () => {
  const docTypes = [
    receiptDocTypeOf({ recordType: 'payment', tenderedAmount: 100 }),
    receiptDocTypeOf({ recordType: 'payment', tenderedAmount: 0 }),
    receiptDocTypeOf({ recordType: 'prestore', tenderedAmount: 100 }),
    receiptDocTypeOf({ recordType: 'deposit', tenderedAmount: 100 }),
    receiptDocTypeOf({ recordType: 'deposit', tenderedAmount: -1 }),
    receiptDocTypeOf({ recordType: 'refund', tenderedAmount: 100 }),
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
