import { Suspense, lazy, useEffect, useLayoutEffect, useRef } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { lendGo } from '#kit/web/go.ts'
import { Arrived, ProgressBar, progress } from '#kit/web/progress.tsx'
import { usePermission, useSession } from '#kit/web/session.ts'
import { Trouble } from '#kit/web/trouble.tsx'
import { page, screens, warm } from './screens.tsx'

const inside = () => import('./inside.tsx')
const Inside = lazy(inside)

/** Asks for the shell and a page together, before the one has been drawn that would ask for the other. */
export function fetchAhead(path: string): void {
  const to = screens.at(path)
  if (!to || to.bare) return
  inside().catch(() => {
    /* told when it is drawn */
  })
  if (!to.to) {
    warm(to)
  }
}

const home = '/work'
const aheadMs = 1500
const isDoor = (path: string): boolean => /^\/login\/?$/i.test(path)
const product = import.meta.env.VITE_TITLE || '安居'

/** Which page an address means: outside the shell, inside it, or another address. */
export function Frame() {
  useMoves()
  return (
    <>
      <ProgressBar />
      <Trouble>
        <Suspense>
          <Addressed />
        </Suspense>
      </Trouble>
    </>
  )
}

function Addressed() {
  const at = useLocation()
  const may = usePermission()
  const screen = screens.at(at.pathname)
  const signed = useSession(s => s.signed)
  const full = at.pathname + at.search + at.hash
  useEffect(() => {
    if (screen?.bare) {
      document.title = screen.title || product
    }
  }, [screen])
  const atDoor = isDoor(at.pathname)
  // Whoever stands at the door goes in: what he will see first comes while he types.
  useEffect(() => {
    if (!atDoor || signed) return
    const soon = setTimeout(() => fetchAhead(home), aheadMs)
    return () => clearTimeout(soon)
  }, [atDoor, signed])
  if (!screen) return <Navigate to="/" replace />
  if (screen.bare) {
    const Page = page(screen)
    return (
      <Trouble of={screen.path}>
        <Suspense>
          <Page />
          <Arrived />
        </Suspense>
      </Trouble>
    )
  }
  if (!signed)
    return (
      <Navigate
        to={full === '/' || full === '/work' ? '/login' : `/login?redirect=${encodeURIComponent(full)}`}
        replace
      />
    )
  if (signed.manager.mustChange && screens.at('/changepassword'))
    return <Navigate to="/changepassword" replace />
  if (signed.manager.mustBind && screens.at('/bindfactor'))
    return <Navigate to={`/bindfactor?redirect=${encodeURIComponent(full)}`} replace />
  if (screen.to) return <Navigate to={screens.lead(screen, may)?.path ?? '/work'} replace />
  return <Inside />
}

/** Every change of address: the hand for those outside the components, the bar, the top of the page. */
function useMoves(): void {
  const go = useNavigate()
  const { pathname } = useLocation()
  const was = useRef<string>(undefined)
  useLayoutEffect(() => {
    lendGo((to, how) => void go(to, how ?? {}))
    return () => lendGo(undefined)
  }, [go])
  useLayoutEffect(() => {
    if (was.current === pathname) return
    was.current = pathname
    window.scrollTo(0, 0)
    if (isDoor(pathname)) {
      progress.done()
    } else {
      progress.start()
    }
  }, [pathname])
}
