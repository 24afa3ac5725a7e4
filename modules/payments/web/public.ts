import { lazyComponent } from '#kit/web/lazy-component.tsx'

/** What other modules' screens may use of payments: payment methods, receipts, documents, record paths. */
export { MethodControl, TendersControl } from './tenders.tsx'
export { ReceiptsDialog, useReceipts } from './use-receipts.tsx'

/** Loaded when it is rendered: documents are viewed after the payment. */
export const PrintDialog = lazyComponent(() => import('./print-dialog.tsx').then(m => m.PrintDialog))
export { describeMethod, formatMethods } from './format-methods.ts'
export { recordPath } from './paths.ts'
export { cashierExtensions, type CashierView, type CashierExtensionProps } from './cashier-extensions.ts'
export { useChannelPayment } from './use-channel-payment.tsx'
