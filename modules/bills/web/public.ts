/** What a till shows before the server has reckoned (PAY-14). */
export { roundedOff } from '../domain/allocate.ts'
import { later } from '#kit/web/later.tsx'

/** Fees by hand and periods ahead, offered where money is taken; fetched when opened. */
export const TemporaryDialog = later(() => import('./temporary-dialog.tsx').then(m => m.TemporaryDialog)), PrepayDialog = later(() => import('./prepay-dialog.tsx').then(m => m.PrepayDialog))
