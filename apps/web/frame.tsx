import { Suspense, lazy, use, useEffect, useLayoutEffect, useRef } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { setNavigator } from '#kit/web/navigation.ts'
import { OpeningPage, PageReady, ProgressBar, progress } from '#kit/web/progress.tsx'
import { usePermission, useSession } from '#kit/web/session.ts'
import { PageErrorBoundary, PageNotFound } from '#kit/web/page-error.tsx'
import { pageOf, preloadPage } from './pages.ts'
import { findSignInScreen, loadScreens } from './screen-list.ts'

const loadSignedInShell = () => import('./signed-in-shell.tsx')
const SignedInShell = lazy(loadSignedInShell)
const PageBands = lazy(() => import('./page-bands.tsx'))

/** Fetches the code of the shell and of a page at the same time, before either has been drawn. */
async function fetchPageAhead(path: string): Promise<void> {
  const target = findSignInScreen(path) ?? (await loadScreens()).find(path)
  if (!target || target.standalone) return
  if (!target.redirectTo) {
    preloadPage(target)
  }
  await loadSignedInShell()
}

export function fetchAhead(path: string): void {
  fetchPageAhead(path).catch(() => {
    /* reported when it is drawn */
  })
}

const homePath = '/work'
const setupPath = '/setup'
const fetchAheadMs = 1500
const isHomePath = (path: string): boolean => /^\/(work\/?)?$/i.test(path)
const hasWayBack = (search: string): boolean => new URLSearchParams(search).has('redirect')
const isLoginPath = (path: string): boolean => /^\/login\/?$/i.test(path)
const productName = import.meta.env.VITE_TITLE || '安居'

/** Which page an address means: outside the shell, inside it, or a redirect. */
export function AppFrame() {
  useNavigationEffects()
  return (
    <>
      <ProgressBar />
      <PageErrorBoundary>
        <Suspense fallback={<OpeningPage />}>
          <AddressedPage />
        </Suspense>
      </PageErrorBoundary>
    </>
  )
}

function AddressedPage() {
  const location = useLocation()
  const hasPermission = usePermission()
  const signed = useSession(s => s.signed)
  const signInScreen = findSignInScreen(location.pathname)
  const leadsToSignIn = !signed && isHomePath(location.pathname)
  // Where sign-in leads back to is named by its title, which only the list knows.
  const needsList = signInScreen
    ? isLoginPath(location.pathname) && hasWayBack(location.search)
    : !leadsToSignIn
  const screens = needsList ? use(loadScreens()) : undefined
  const screen = signInScreen ?? screens?.find(location.pathname)
  const fullPath = location.pathname + location.search + location.hash
  useEffect(() => {
    if (!screen && !signed && !leadsToSignIn) {
      document.title = '页面不存在'
    } else if (screen?.standalone) {
      document.title = screen.title || productName
    }
  }, [screen, signed, leadsToSignIn])
  const offlinePath = screen?.offline && signed ? screen.path : undefined
  useOfflineCopy(offlinePath, signed?.manager.id)
  const leadsHome = isLoginPath(location.pathname) || location.pathname === setupPath
  // The code of the first page is fetched while the person types.
  useEffect(() => {
    if (!leadsHome || signed) return
    const timer = setTimeout(() => fetchAhead(homePath), fetchAheadMs)
    return () => clearTimeout(timer)
  }, [leadsHome, signed])
  if (!screen && !signed && !leadsToSignIn) return <PageNotFound path={location.pathname} />
  if (screen?.standalone) {
    const Page = pageOf(screen)
    return (
      <PageErrorBoundary resetKey={screen.path}>
        <div className="page-bands">
          <Suspense>{signed && <PageBands />}</Suspense>
        </div>
        <Suspense fallback={<OpeningPage />}>
          <Page />
          <PageReady />
        </Suspense>
      </PageErrorBoundary>
    )
  }
  if (!signed)
    return (
      <Navigate
        to={
          fullPath === '/' || fullPath === '/work'
            ? '/login'
            : `/login?redirect=${encodeURIComponent(fullPath)}`
        }
        replace
      />
    )
  if (signed.manager.mustChange && findSignInScreen('/changepassword'))
    return <Navigate to="/changepassword" replace />
  if (signed.manager.mustBind && findSignInScreen('/bindfactor'))
    return <Navigate to={`/bindfactor?redirect=${encodeURIComponent(fullPath)}`} replace />
  if (screen?.redirectTo)
    return <Navigate to={screens?.resolve(screen, hasPermission)?.path ?? '/work'} replace />
  return <SignedInShell />
}

/** Keeps the page for where there is no network, for who opened it; the dev server has no worker. */
function useOfflineCopy(path: string | undefined, userId: number | undefined): void {
  useEffect(() => {
    if (path === undefined || !import.meta.env.PROD) return
    import('#kit/web/offline/keep-offline.ts')
      .then(({ keepOffline }) => keepOffline(path))
      .catch(() => {
        /* forbidden by the browser, or no network: tried again when the page is opened next */
      })
  }, [path, userId])
}

/**
 * On every change of address: hands the router's navigate to code outside the components, starts the progress
 * bar, scrolls to the top.
 */
function useNavigationEffects(): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const previousPath = useRef<string>(undefined)
  useLayoutEffect(() => {
    setNavigator((target, options) => void navigate(target, options ?? {}))
    return () => setNavigator(undefined)
  }, [navigate])
  useLayoutEffect(() => {
    if (previousPath.current === pathname) return
    previousPath.current = pathname
    window.scrollTo(0, 0)
    if (isLoginPath(pathname)) {
      progress.done()
    } else {
      progress.start()
    }
  }, [pathname])
}
