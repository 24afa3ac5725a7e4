import { lazyComponent } from '#kit/web/lazy-component.tsx'

/**
 * What other modules' screens may use of bills: what a till shows before the server has reckoned (PAY-14),
 * how periods are said.
 */
export { roundOff } from '../domain/allocation.ts'
export { formatPeriod } from '../domain/bill-row.ts'

/** Fees by hand and periods ahead, offered where money is taken; fetched when opened. */
export const TemporaryDialog = lazyComponent(() =>
  import('./temporary-dialog.tsx').then(m => m.TemporaryDialog),
)
export const PrepayDialog = lazyComponent(() => import('./prepay-dialog.tsx').then(m => m.PrepayDialog))
