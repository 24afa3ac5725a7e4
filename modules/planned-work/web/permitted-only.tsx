import type { ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { usePermission } from '#kit/web/session.ts'

interface PermittedOnlyProps {
  readonly needs: Permission
  readonly children: ReactNode
}

/** The own tasks on a phone, or which right is missing: these pages are outside the shell. */
export function PermittedOnly({ needs, children }: PermittedOnlyProps) {
  const hasPermission = usePermission()
  if (hasPermission(needs)) return children
  return (
    <p className="empty" role="alert">
      没有「{needs.label}」权限，请联系管理员
    </p>
  )
}
