import type { ReactNode } from 'react'
import { secureUrlRule } from '../contract/secure-url.ts'

interface SecureLinkProps {
  readonly to: string | undefined
  readonly className?: string
  readonly children: ReactNode
}

/** A link out of the product, in a window that knows nothing of ours; text alone where it is none. */
export function SecureLink({ to, className, children }: SecureLinkProps) {
  const classes = className === undefined ? {} : { className }
  if (to === undefined || secureUrlRule.test(to) !== undefined) return <span {...classes}>{children}</span>
  return (
    <a {...classes} href={to} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
