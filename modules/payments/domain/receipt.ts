import type { ChoiceOf } from '#kit/contract/field.ts'
import type { docType } from '#modules/accounts/contract/print-settings.ts'
import type { recordType } from '../contract/choices.ts'

type ReceiptDocType = Extract<ChoiceOf<typeof docType>, 'receipt' | 'prestore' | 'deposit' | 'refund'>

/**
 * By which kind of template a record is printed: money that goes out is a refund, whatever it came in for.
 */
export const receiptDocTypeOf = (record: {
  readonly recordType: ChoiceOf<typeof recordType>
  readonly tenderedAmount: number
}): ReceiptDocType =>
  record.tenderedAmount < 0 || record.recordType === 'refund'
    ? 'refund'
    : record.recordType === 'prestore' || record.recordType === 'deposit'
      ? record.recordType
      : 'receipt'

/** 补打第 n 次: the first printing says nothing (PAY-20). */
export const reprintLabel = (nth: number): string => (nth > 1 ? `（补打第 ${nth - 1} 次）` : '')
