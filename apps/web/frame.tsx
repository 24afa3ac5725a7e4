import { Suspense, lazy, useEffect, useLayoutEffect, useRef } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { lendGo } from '#kit/web/go.ts'
import { Arrived, ProgressBar, progress } from '#kit/web/progress.tsx'
import { usePermission, useSession } from '#kit/web/session.ts'
import { Trouble } from '#kit/web/trouble.tsx'
import { page, screens } from './screens.tsx'

const Inside = lazy(() => import('./inside.tsx'))
const product = import.meta.env.VITE_TITLE || '安居'

/** Which page an address means: outside the shell, inside it, or another address. */
export function Frame() {
  useMoves()
  return <><ProgressBar /><Trouble><Suspense><Addressed /></Suspense></Trouble></>
}

function Addressed() {
  const at = useLocation(), may = usePermission(), screen = screens.at(at.pathname), signed = useSession(s => s.signed)
  const full = at.pathname + at.search + at.hash
  useEffect(() => { if (screen?.bare) document.title = screen.title || product }, [screen])
  if (!screen) return <Navigate to="/" replace />
  if (screen.bare) { const Page = page(screen); return <Trouble of={screen.path}><Suspense><Page /><Arrived /></Suspense></Trouble> }
  if (!signed) return <Navigate to={full === '/' || full === '/work' ? '/login' : `/login?redirect=${encodeURIComponent(full)}`} replace />
  if (signed.manager.mustChange && screens.at('/changepassword')) return <Navigate to="/changepassword" replace />
  if (signed.manager.mustBind && screens.at('/bindfactor')) return <Navigate to={`/bindfactor?redirect=${encodeURIComponent(full)}`} replace />
  if (screen.to) return <Navigate to={screens.lead(screen, may)?.path ?? '/work'} replace />
  return <Inside />
}

/** Every change of address: the hand for those outside the components, the bar, the top of the page. */
function useMoves(): void {
  const go = useNavigate(), { pathname } = useLocation(), was = useRef<string>(undefined)
  useLayoutEffect(() => { lendGo((to, how) => void go(to, how ?? {})); return () => lendGo(undefined) }, [go])
  useLayoutEffect(() => {
    if (was.current === pathname) return
    was.current = pathname
    window.scrollTo(0, 0)
    if (/^\/login\/?$/i.test(pathname)) progress.done()
    else progress.start()
  }, [pathname])
}
