import { later } from '#kit/web/later.tsx'

/** What other modules' screens may use of payments: ways of paying, receipts, papers, the way to a record. */
export { MethodControl, TendersControl } from './tenders.tsx'
export { useReceipts } from './use-receipts.tsx'

/** Fetched when it is drawn: papers are looked at after the deed. */
export const PaperDialog = later(() => import('./paper-dialog.tsx').then(m => m.PaperDialog))
export { seeRecord } from './places.ts'
export { tillActs, type TillDesk, type TillPart } from './till-lent.ts'
export { useChannelPay } from './use-channel-pay.tsx'
