import { later } from '#kit/web/later.tsx'

/**
 * What other modules' screens may use of bills: what a till shows before the server has reckoned (PAY-14),
 * how periods are said.
 */
export { roundedOff } from '../domain/allocate.ts'
export { periodWords } from '../domain/row.ts'

/** Fees by hand and periods ahead, offered where money is taken; fetched when opened. */
export const TemporaryDialog = later(() => import('./temporary-dialog.tsx').then(m => m.TemporaryDialog))
export const PrepayDialog = later(() => import('./prepay-dialog.tsx').then(m => m.PrepayDialog))
