import { useQuery } from '@tanstack/react-query'
import { Activity, Suspense, memo, useEffect, useMemo, useRef, useState } from 'react'
import { Route, Routes, useLocation, type Location } from 'react-router'
import { lazyComponent } from '../lazy-component.tsx'
import { PageReady } from '../progress.tsx'
import { usePermission, useSession } from '../session.ts'
import { NoPermission, Skeleton } from '../page-feedback.tsx'
import { TabContext } from '../tab.ts'
import { PageErrorBoundary } from '../page-error.tsx'
import { useHost } from './host.ts'
import { usePages } from './open-pages.ts'
import { allProjects, useProjects } from './project-switch.tsx'
import { unknownScreen, type ModuleScreen } from './screen-map.ts'

const RequireOneProject = lazyComponent(
  async () => (await import('./require-one-project.tsx')).RequireOneProject,
  <div className="empty" />,
)

const parse = (path: string): Location => {
  const url = new URL(path, 'http://here')
  return {
    pathname: url.pathname,
    search: url.search,
    hash: url.hash,
    state: null,
    key: 'default',
    mask: undefined,
  }
}

/**
 * The pages themselves. Each open one stays mounted under React's Activity: hidden it keeps its DOM, scroll,
 * filter and typed text, while its effects (queries, timers, keys) stop. A snapshot of state would have to be
 * written by every screen and would lose what it forgot. At most twelve are open, so the memory is bounded;
 * after F5 a page is drawn when it is first visited.
 */
export function Pages({ current }: { readonly current: string }) {
  const { tabs, active } = usePages(s => s)
  const location = useLocation()
  const locations = useRef(new Map<string, Location>())
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(new Set())
  // The address changes a moment before the active tab does: until then it belongs to no page here.
  if (current === active) {
    locations.current.set(active, location)
  }
  useEffect(() => {
    if (active) {
      setDrawn(previous => (previous.has(active) ? previous : new Set([...previous, active])))
    }
  }, [active])
  return (
    <main className="pages">
      {tabs
        .filter(t => t.key === active || drawn.has(t.key))
        .map(tab => (
          <Page
            key={tab.key}
            tabKey={tab.key}
            path={tab.path}
            location={locations.current.get(tab.key)}
            active={tab.key === active}
          />
        ))}
    </main>
  )
}

interface PageProps {
  readonly tabKey: string
  readonly path: string
  readonly location: Location | undefined
  readonly active: boolean
}

const dialogFadeMs = 300

/**
 * An opened page takes the focus with its panel and is read aloud by its name, unless something in it has it.
 * The tabs keep it while arrows move along them; a dialog that led here closes first.
 */
function takeFocus(section: HTMLElement | null): () => void {
  const focusUnless = (isKept: (focused: Element) => boolean): void => {
    const focused = document.activeElement
    if (section && !(focused && focused !== document.body && isKept(focused))) {
      section.focus({ preventScroll: true })
    }
  }
  focusUnless(
    focused =>
      section?.contains(focused) === true || focused.closest('[role=tablist], [role=dialog]') !== null,
  )
  const timer = setTimeout(() => focusUnless(() => true), dialogFadeMs)
  return () => clearTimeout(timer)
}

/** A hidden page keeps its own address, so that the filter in the URL of another does not become its own. */
const Page = memo(
  function Page({ tabKey, path, location: ownLocation, active }: PageProps) {
    const host = useHost()
    const shownLocation = useMemo(() => ownLocation ?? parse(path), [ownLocation, path])
    const screen = host.screens.find(shownLocation.pathname) ?? unknownScreen
    const section = useRef<HTMLElement>(null)
    useEffect(() => (active ? takeFocus(section.current) : undefined), [active])
    return (
      <Activity mode={active ? 'visible' : 'hidden'}>
        <TabContext value={tabKey}>
          <section
            ref={section}
            className="page scroll"
            role="tabpanel"
            tabIndex={-1}
            id={`page${tabKey}`}
            aria-labelledby={`tab${tabKey}`}
          >
            <Routes location={shownLocation}>
              <Route
                path={screen.path.includes('/:') ? screen.path : '*'}
                element={<Body screen={screen} search={shownLocation.search} />}
              />
            </Routes>
          </section>
        </TabContext>
      </Activity>
    )
  },
  (a, b) => a.active === b.active && (a.location === b.location || !b.active),
)

const projectless: ReadonlySet<string> = new Set(['work', 'files', 'setting'])

function RefusedPage({ screen }: { readonly screen: ModuleScreen }) {
  const host = useHost()
  const key = screen.needs?.key ?? ''
  const { data, isPending } = useQuery({
    queryKey: ['permission-label', key],
    queryFn: async () => (await host.permissionLabel(key)) ?? '',
    staleTime: Infinity,
  })
  return isPending ? <Skeleton /> : <NoPermission title={screen.title} label={data} />
}

function Body({ screen, search }: { readonly screen: ModuleScreen; readonly search: string }) {
  const host = useHost()
  const hasPermission = usePermission()
  const isAllProjects = useSession(s => s.project?.code) === allProjects.code
  const hasNoProject = useProjects().all?.length === 0
  if (!hasPermission(screen.needs)) return <RefusedPage screen={screen} />
  // A record has its own project; some screens have none.
  if (
    (isAllProjects || hasNoProject) &&
    !screen.allProjects &&
    !projectless.has(host.screens.domainOf(screen)) &&
    !/[?&]id=/.test(search) &&
    !screen.path.includes('/:')
  )
    return <RequireOneProject title={screen.title} />
  const Drawn = host.pageOf(screen)
  return (
    <PageErrorBoundary resetKey={screen.path}>
      <Suspense fallback={<Skeleton />}>
        <Drawn />
        <PageReady />
      </Suspense>
    </PageErrorBoundary>
  )
}
