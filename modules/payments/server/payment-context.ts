import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addFen, type Fen } from '#kit/domain/money.ts'
import type { Allocation, PayableBill } from '#modules/bills/server/public.ts'
import type { PayDetail, PayRecord } from '../contract/record.ts'
import type { Payer } from '../domain/payer.ts'
import type { PaymentContext } from './tenders.ts'

/** What one bill got, and whom it is charged to; fen. */
export interface PaidPart {
  readonly billId: Id
  readonly sourceType: string
  readonly sourceCode: string
  readonly feeItemId: Id
  readonly principal: Fen
  readonly lateFee: Fen
}

/** Sources are listed once each, in the order of the parts. */
export function buildPaymentContext(
  recordId: Id,
  projectCode: string,
  payer: Payer,
  parts: readonly PaidPart[],
): PaymentContext {
  const sources = new Map(
    parts.map(({ sourceType, sourceCode }) => [`${sourceType}/${sourceCode}`, { sourceType, sourceCode }]),
  )
  return {
    recordId,
    projectCode,
    payer,
    sources: [...sources.values()],
    shares: parts.map(part => ({
      billId: part.billId,
      itemId: part.feeItemId,
      amount: addFen(part.principal, part.lateFee),
    })),
  }
}

/** The context of a payment that is about to be recorded under this id. */
export function paymentContextOf(
  recordId: Id,
  payment: {
    readonly projectCode: string
    readonly payer: Payer
    readonly bills: readonly PayableBill[]
    readonly allocations: readonly Allocation[]
  },
): PaymentContext {
  const billById = new Map(payment.bills.map(bill => [bill.row.id, bill.row]))
  const parts = payment.allocations.map(allocation => {
    const bill = defined(billById.get(allocation.billId))
    return {
      billId: bill.id,
      sourceType: bill.sourceType,
      sourceCode: bill.sourceCode,
      feeItemId: bill.feeItemId,
      principal: allocation.principal,
      lateFee: allocation.late,
    }
  })
  return buildPaymentContext(recordId, payment.projectCode, payment.payer, parts)
}

/** The context of a payment as it was recorded. */
export const paymentContextOfRecord = (record: PayRecord, details: readonly PayDetail[]): PaymentContext => {
  const payer = { kind: record.payerKind, id: record.payerId, name: record.payerName }
  return buildPaymentContext(record.id, record.projectCode, payer, details)
}
