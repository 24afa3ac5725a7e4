import type { Id } from '#kit/domain/id.ts'
import { useState, type ReactNode } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'

/** Loaded when it is rendered: receipts are printed after the payment. */
export const ReceiptsDialog = lazyComponent(() => import('./receipts-dialog.tsx').then(m => m.ReceiptsDialog))

/** `open(ids)` shows the dialog; draw `dialog` somewhere. What it needs is fetched then. */
export function useReceipts(): {
  readonly open: (ids: readonly Id[]) => void
  readonly dialog: ReactNode
} {
  const [ids, open] = useState<readonly Id[]>([])
  return { open, dialog: ids.length ? <ReceiptsDialog ids={ids} onClose={() => open([])} /> : null }
}
