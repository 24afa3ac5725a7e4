import { lazyComponent } from '#kit/web/lazy-component.tsx'

/** What other modules' screens may use of payments: ways of paying, receipts, papers, the way to a record. */
export { MethodControl, TendersControl } from './tenders.tsx'
export { useReceipts } from './use-receipts.tsx'

/** Fetched when it is drawn: papers are looked at after the deed. */
export const PaperDialog = lazyComponent(() => import('./paper-dialog.tsx').then(m => m.PaperDialog))
export { recordPath } from './paths.ts'
export { cashierExtensions, type CashierView, type CashierExtensionProps } from './cashier-extensions.ts'
export { useChannelPayment } from './use-channel-payment.tsx'
