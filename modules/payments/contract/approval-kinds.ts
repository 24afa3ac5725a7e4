import { declareApprovalKind } from '#modules/approvals/contract/kind.ts'
import { feeRefund } from './refund.ts'

const { refundNo, sourceName, payerName, amount, refundWay, billAfter, reason } = feeRefund.fields

/** A refund that goes by a definition of the company, in place of the audit by one other person (REF-3). */
export const refundKind = declareApprovalKind({
  key: 'refund',
  isMoney: true,
  form: { refundNo, sourceName, payerName, amount, refundWay, billAfter, reason },
})
