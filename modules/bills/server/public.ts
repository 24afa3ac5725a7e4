/** What other modules may ask of bills: the ledger, the one door through which money meets them. */
export { issueBatch } from './issue-batch.ts'
export { removePrepaidBills } from './prepaid.ts'

export {
  bookRefund,
  holdBills,
  payRefusal,
  releaseBills,
  payableBills,
  bookPayment,
  undoBooking,
  type MoneySource,
  type PayableBill,
  type Allocation,
} from './ledger.ts'

export { addInvoicedAmounts } from './invoiced.ts'
export { computeLateFees, findBillRules } from './late-fee.ts'
export { discountBills } from './adjustment.ts'
export { abolishByIds, type ActionContext } from './actions.ts'

export {
  allocate,
  sortTenders,
  splitOverpayment,
  partialPaymentRefusal,
  roundOff,
  type OwedBill,
} from '../domain/allocation.ts'

export {
  deduct,
  balanceAfterWithdrawal,
  type PrestoreAccount,
  type Deduction,
  type DeductibleBill,
} from '../domain/prestore.ts'
export {
  payRecordStateOf,
  refundableAmount,
  toRefundEntry,
  splitRefund,
  refundRefusal,
} from '../domain/settlement.ts'
export { provideClosedMonths } from './closed-months.ts'
