import type { ChoiceOf } from '#kit/contract/field.ts'
import type { docType } from '#modules/accounts/contract/print.ts'
import type { recordType } from '../contract/choices.ts'

type Kind = Extract<ChoiceOf<typeof docType>, 'receipt' | 'prestore' | 'deposit' | 'refund'>

/**
 * By which kind of template a record is printed: money that goes out is a refund, whatever it came in for.
 */
export const paperKind = (r: {
  readonly recordType: ChoiceOf<typeof recordType>
  readonly receivedAmount: number
}): Kind =>
  r.receivedAmount < 0 || r.recordType === 'refund'
    ? 'refund'
    : r.recordType === 'prestore' || r.recordType === 'deposit'
      ? r.recordType
      : 'receipt'

/** 补打第 n 次: the first printing says nothing (PAY-20). */
export const reprintWords = (nth: number): string => (nth > 1 ? `（补打第 ${nth - 1} 次）` : '')
