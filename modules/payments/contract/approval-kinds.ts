import { text } from '#kit/contract/field.ts'
import { declareApprovalKind } from '#modules/approvals/contract/kind.ts'
import { payRecord } from './record.ts'
import { feeRefund } from './refund.ts'

const { refundNo, subject, sourceName, payerName, amount, refundWay, billAfter, reason } = feeRefund.fields

/** A refund that goes by a definition of the company, in place of the audit by one other person (REF-3). */
export const refundKind = declareApprovalKind({
  key: 'refund',
  isMoney: true,
  offersNoChoice: true,
  // Requests from before refunds of accounts and deposits were approved have no subject.
  form: {
    refundNo,
    subject: { ...subject, required: false },
    sourceName,
    payerName,
    amount,
    refundWay,
    billAfter,
    reason,
  },
})

const { recordNo, sourceName: payerObject, receivedAmount } = payRecord.fields

/** A payment that may be voided once a definition of the company has approved it (PAY-21). */
export const voidKind = declareApprovalKind({
  key: 'void',
  isMoney: true,
  offersNoChoice: true,
  form: {
    recordNo,
    sourceName: payerObject,
    amount: receivedAmount,
    reason: text('原因', { required: true, max: 200 }),
  },
})
