import type { Id } from '#kit/domain/id.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { send } from '#kit/web/send.ts'
import { getRun } from '../contract/run.ts'

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

/** Asks, then undoes a batch of generated bills (GEN-7); true where it was undone. */
export async function undoBillRun(id: Id): Promise<boolean> {
  const { confirmUndoRun } = await import('./undo-run.ts')
  return confirmUndoRun(await send(getRun, { id }, { project: 0 }))
}
