import type { ReactNode } from 'react'

interface ScrollRegionProps {
  readonly label: string
  readonly className: string
  readonly children: ReactNode
}

/** Text or a table that scrolls inside a dialog; arrow keys scroll it, so it can have the focus. */
export const ScrollRegion = ({ label, className, children }: ScrollRegionProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
  <div className={`${className} scroll`} role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
)
