/** What other modules may ask of payments: to settle, to lend a purse, to hear that a bill was paid. */
export {
  settle,
  payingOf,
  dayLock,
  holdDays,
  openDay,
  payOut,
  type PaidOut,
  type Settled,
  type Settling,
  type Tender,
} from './settle.ts'

export {
  declarePurse,
  whenDayCloses,
  whenPaid,
  type Closing,
  type Paid,
  type Paying,
  type Purse,
} from './tenders.ts'

export { payRules, type PayRules } from './settings.ts'
export { payable, payerOf } from './pay.ts'

export {
  mayBeInvoiced,
  noteIncome,
  noteInvoicedParts,
  openParts,
  openPartsOf,
  type InvoicedAt,
  type OpenPart,
  type Taken,
} from './invoiced.ts'

export { declareAbout, type About } from './about.ts'

/** To have something else than bills paid by a channel, through the same dialog and booked exactly once. */
export {
  declareSubject,
  startOrder,
  type Beginning,
  type Booking,
  type Came,
  type Subject,
} from './subjects.ts'

/** What a channel says it did, and what it takes to bring an order or a refund to it (CLO-5). */
export { billOf, billRows, NotYet, type BillLine as ChannelLine } from './gates/bill.ts'
export { gateOf } from './gates/accounts.ts'
export { Forged } from './gates/gate.ts'
export { confirm } from './order-confirm.ts'
export { bringRefund } from './order-jobs.ts'
