/** What other modules may use of bills. All money of bills is booked through the ledger. */
export { issueBatch } from './issue-batch.ts'
export { providePrepaidOrders, removePrepaidBills, type PrepaidOrders } from './prepaid.ts'

export {
  bookRefund,
  holdBills,
  payRefusal,
  releaseBills,
  payableBills,
  bookPayment,
  type MoneySource,
  type PayableBill,
  type Allocation,
  type RefundAllocation,
} from './ledger.ts'

export { undoBooking } from './ledger-undo.ts'
export { addInvoicedAmounts } from './invoiced-amounts.ts'
export { computeLateFees, findBillRules } from './late-fee.ts'
export { closeFollowUps, lockFollowUps, reopenEnding } from './follow-ups.ts'
export { discountBills, waiveLateFees } from './adjustment.ts'
export { assertDiscountNeedsNoApproval } from './bill-approvals.ts'
export { abolishByIds, type ActionContext } from './actions.ts'
export { onBillsChanged } from './bill-events.ts'
export { findBillSubjects, registerBillSubjects } from './bill-subjects.ts'
export type { BillAction } from '../domain/actions.ts'

export {
  allocate,
  sortTenders,
  partialPaymentRefusal,
  roundOff,
  type OwedBill,
} from '../domain/allocation.ts'

export {
  deduct,
  drawFromAccounts,
  type PrestoreAccount,
  type Deduction,
  type DeductRules,
  type DeductibleBill,
} from '../domain/prestore.ts'
export { provideReceiptSources } from './receipt-sources.ts'
export { presentBills } from './bill-query.ts'
export { provideClosedMonths } from './closed-months.ts'
export {
  findBillsOfOrders,
  findOrderBills,
  findOrdersOfBills,
  findRefundedOrders,
  type OrderBill,
} from './order-bills.ts'
export { registerOrderRefusals } from './order-refusals.ts'
export { letOffRest } from './let-off.ts'
