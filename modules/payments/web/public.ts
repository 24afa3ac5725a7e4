/** What other modules' screens may use of payments: ways of paying, receipts, papers, the way to a record. */
export { MethodControl, TendersControl } from './tenders.tsx'
export { useReceipts } from './use-receipts.tsx'
export { PaperDialog } from './paper-dialog.tsx'
export { seeRecord } from './places.ts'
export { tillActs, type TillDesk, type TillPart } from './till-lent.ts'
export { useChannelPay } from './use-channel-pay.tsx'
