import { lazyComponent } from '#kit/web/lazy-component.tsx'

/**
 * What other modules' screens may use of payments: receipts, documents, record paths. How an amount is split
 * by payment methods is in `public.tenders.ts`, and its words in `public.methods.ts`, for who asks for it.
 */
export { ReceiptsDialog, useReceipts } from './use-receipts.tsx'

/** Loaded when it is rendered: documents are viewed after the payment. */
export const PrintDialog = lazyComponent(() => import('./print-dialog.tsx').then(m => m.PrintDialog))
export { recordPath } from './paths.ts'
export { cashierExtensions, type CashierView, type CashierExtensionProps } from './cashier-extensions.ts'
export { useChannelPayment } from './use-channel-payment.tsx'
