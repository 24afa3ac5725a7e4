import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '../session.ts'

/** A page outside the shell for signed-in users; others sign in first and come back. */
export function SignedInOnly({ children }: { readonly children: ReactNode }) {
  const isSignedIn = useSession(s => s.signed !== undefined)
  const { pathname, search } = useLocation()
  if (isSignedIn) return children
  return <Navigate to={`/login?redirect=${encodeURIComponent(pathname + search)}`} replace />
}
