import type { ChoiceOf } from '#kit/contract/field.ts'
import { maxFen, minFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import type { payMethod, refundWay } from '../contract/choices.ts'

type PayMethod = ChoiceOf<typeof payMethod>

export interface RefundTender {
  readonly method: PayMethod
  readonly amount: Fen
}

/** What refunds need to know of the payment, fen. */
export interface RefundedPayment {
  readonly prestoreAmount: Fen
  readonly methods: readonly { readonly method: PayMethod }[]
}

/**
 * How a refund leaves: what prestore had paid goes back there first, at most what earlier refunds have not
 * yet returned (`prestoreReturned`); the rest by the chosen way (REF-9). 转预存 credits all of it. 原路 is the
 * first method that is not prestore. Fen, Σ = amount; no line of nothing.
 */
export function refundTenders(
  payment: RefundedPayment,
  amount: Fen,
  refundMethod: ChoiceOf<typeof refundWay>,
  prestoreReturned: Fen,
): readonly RefundTender[] {
  if (refundMethod === 'prestore') return [{ method: 'prestore', amount }]
  const prestore = minFen(amount, maxFen(0, subtractFen(payment.prestoreAmount, prestoreReturned)))
  const method =
    refundMethod === 'original'
      ? (payment.methods.find(m => m.method !== 'prestore')?.method ?? 'cash')
      : refundMethod
  const tenders: readonly RefundTender[] = [
    { method: 'prestore', amount: prestore },
    { method, amount: subtractFen(amount, prestore) },
  ]
  return tenders.filter(tender => tender.amount > 0)
}
