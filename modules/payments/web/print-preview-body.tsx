import type { ReactNode } from 'react'
import './receipts.css'

/** The papers that are about to be printed; arrow keys scroll them, so they can have the focus. */
export const PrintPreviewBody = ({ children }: { readonly children: ReactNode }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
  <div className="receipt-dialog scroll" role="region" aria-label="打印预览" tabIndex={0}>
    {children}
  </div>
)
