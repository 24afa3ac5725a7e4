import { lazyComponent } from '#kit/web/lazy-component.tsx'

/**
 * What screens of other modules may use: rounding as the cashier shows it before the server computes it
 * (PAY-14), and period texts.
 */
export { roundOff } from '../domain/allocation.ts'
export { formatPeriod } from '../domain/bill-row.ts'
export { followUpPeriod } from './follow-up-period.ts'

/** Fees by hand and periods ahead, offered where money is taken; fetched when opened. */
export const TemporaryDialog = lazyComponent(() =>
  import('./temporary-dialog.tsx').then(m => m.TemporaryDialog),
)
export const PrepayDialog = lazyComponent(() => import('./prepay-dialog.tsx').then(m => m.PrepayDialog))
