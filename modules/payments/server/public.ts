/** What other modules may ask of payments: to settle, to lend a purse, to hear that a bill was paid. */
export { settle, payingOf, dayLock, openDay, payOut, type PaidOut, type Settled, type Settling, type Tender } from './settle.ts'
export { declarePurse, whenDayCloses, whenPaid, type Closing, type Paid, type Paying, type Purse } from './tenders.ts'
export { payRules, type PayRules } from './settings.ts'
export { payable, payerOf } from './pay.ts'
export { mayBeInvoiced, noteInvoicedParts, openParts, openPartsOf, type InvoicedAt, type OpenPart, type Taken } from './invoiced.ts'
export { declareAbout, type About } from './about.ts'
