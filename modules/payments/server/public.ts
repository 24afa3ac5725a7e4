/** What other modules may ask of payments: to settle, to provide a tender, to follow paid bills. */
export { settle, type SettleResult, type SettleInput, type Tender } from './settlement.ts'
export { paymentContextOf } from './payment-context.ts'
export { lockDay, lockDays, assertDayOpen } from './day-lock.ts'
export { lockReceivingDay } from './receiving-day.ts'
export { orderPrefix } from './document-prefixes.ts'
export { payOut, type PayOutInput } from './pay-out.ts'
/** To have money that is in an account or a deposit refunded by an approval of the company (REF-3). */
export {
  askForBalanceRefund,
  registerRefundSubject,
  type BalanceRefund,
  type RefundContext,
} from './refund-subjects.ts'

export {
  registerTenderProvider,
  onDayClosing,
  onPaid,
  onRefundDeclined,
  type DayClosingEvent,
  type PaidEvent,
  type PaymentContext,
  type TenderProvider,
} from './tenders.ts'

export { getPayRules, type PayRules } from './settings.ts'
export { assertPayable } from './payment.ts'
export { resolvePayer } from '../domain/payer.ts'

export {
  invoiceableRecordFilter,
  recordIncome,
  recordInvoicedParts,
  invoiceablePartsQuery,
  findInvoiceableParts,
  type PrestoreInvoiceTiming,
  type InvoiceablePart,
  type InvoicedPart,
} from './invoiceable-parts.ts'

export { methodConditions, selectPaidParts } from './paid-parts.ts'
export { registerReceiptLineSource, type ReceiptLine } from './receipt-lines.ts'

/** To have something else than bills paid by a channel, through the same dialog and booked exactly once. */
export {
  registerBillOrderNeeds,
  registerOrderSubject,
  startOrder,
  type StartOrderInput,
  type BookingContext,
  type ReceivedPayment,
  type OrderSubject,
} from './order-subjects.ts'

/** What a channel says it did, and what it takes to bring an order or a refund to it (CLO-5). */
export {
  parseChannelBill,
  readChannelBillRows,
  BillNotReadyError,
  type ChannelLine,
} from './channels/channel-bill.ts'
export { getChannelClient } from './channels/channel-accounts.ts'
export { ForgedMessageError } from './channels/channel-client.ts'
export { confirmPayment } from './order-confirmation.ts'
export { advanceRefund } from './order-jobs.ts'

/** To have a bill of a module's own paid by a pay order, and refunded whole. */
export { openBillOrder, type BillOrderInput } from './bill-order.ts'
export { toOrderView } from './order-subjects.ts'
export {
  findOpenBillRefunds,
  refundPaidBills,
  refundPartOfBill,
  refundPartsOfBills,
  type BillPart,
  type OpenBillRefund,
} from './bill-refund.ts'
export { findNewestPayments } from './bill-payments.ts'
export { closePayOrder } from './order-query.ts'
export { findGroupProgress } from './refund-members.ts'

/** Which bills a payer's page selects at first, as the counter does. */
export { isSelectedByDefault } from './cashier-bills.ts'
export { isDepositBill } from '../domain/deposit-bills.ts'

/** The channels that a company has set up, and its merchant number at one. */
export { findEnabledChannels, findPaySetting } from './channels/channel-accounts.ts'
