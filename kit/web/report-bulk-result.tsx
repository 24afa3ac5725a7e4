import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { showNotice } from './confirm.tsx'
import { lazyComponent } from './lazy-component.tsx'
import { toastResult } from './record-actions.ts'

const BulkResultDialog = lazyComponent(() => import('./bulk-result-dialog.tsx').then(m => m.BulkResultDialog))

/** Which records a bulk call changed, and why not the others (G-11). */
export const showBulkResult = (result: BulkResult, title: string): void =>
  void showNotice(({ onClose }) => <BulkResultDialog result={result} title={title} onClose={onClose} />)

/** The same where some were not changed; otherwise their number is enough. */
export const reportBulkResult = (result: BulkResult, title: string): void =>
  result.fail || result.skipped ? showBulkResult(result, title) : toastResult(result, '')
