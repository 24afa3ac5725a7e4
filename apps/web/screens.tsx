import { defined } from '#kit/domain/defined.ts'
import { lazy, type ComponentType } from 'react'
import type { Routes } from '#kit/web/routes.ts'
import { registerScreens } from '#kit/web/screen-registry.ts'
import { buildScreenMap, unknownScreen, type ModuleScreen } from '#kit/web/shell/screen-map.ts'
import { RequestFailure } from '#kit/web/send.ts'
import { manifests as slim } from 'virtual:manifests'
import { menuGroups } from './menu-groups.ts'
import { fromBrowserManifests, type ScreenManifest } from './browser-manifest.ts'

const routeFiles = import.meta.glob<{ routes: Routes }>('../../modules/*/web/routes.ts')

// The workbench shows the modules' extensions: their list is fetched beside its code, not after it.
const homeRoutes: Routes = {
  '/work': () => {
    import('./extensions.ts').catch(() => {
      /* asked for again by the workbench itself */
    })
    return import('#kit/web/shell/workbench.tsx')
  },
  [unknownScreen.path]: () => import('#kit/web/shell/unknown-page.tsx'),
}

/** The one screen that belongs to no module: it shows the extensions of all of them. */
const homeManifest: ScreenManifest = {
  name: 'home',
  screens: [
    { path: '/', title: '首页', needs: undefined, redirectTo: '/work' },
    { path: '/work', title: '工作台', needs: undefined, section: 'work', group: '工作台', allProjects: true },
  ],
}

const modules = fromBrowserManifests(slim)

/** In the order of the menu. */
export const moduleNames = modules.map(m => m.name)
const declaredPaths = new Set(modules.flatMap(m => m.screens.map(screen => screen.path.toLowerCase())))

const manifests: readonly ScreenManifest[] = [
  {
    ...homeManifest,
    screens: homeManifest.screens.filter(screen => !declaredPaths.has(screen.path.toLowerCase())),
  },
  ...modules,
]

export const screens = buildScreenMap(manifests, menuGroups)
registerScreens(manifests)

const fetchedPages = new Map<string, Promise<{ default: ComponentType }>>()
const pageComponents = new Map<string, ComponentType>()

/** The code of a screen, fetched once; after a failure it is fetched again. */
async function loadPage(screen: ModuleScreen): Promise<{ default: ComponentType }> {
  const routes =
    screen.module === 'home'
      ? homeRoutes
      : (await routeFiles[`../../modules/${screen.module}/web/routes.ts`]?.())?.routes
  const path = Object.keys(routes ?? {}).find(p => p.toLowerCase() === screen.path.toLowerCase())
  if (!path) throw new RequestFailure(404, `没有页面 ${screen.path}`)
  return await defined(defined(routes)[path])()
}

function fetchPage(screen: ModuleScreen): Promise<{ default: ComponentType }> {
  const cached = fetchedPages.get(screen.path)
  if (cached) return cached
  const loadingPage = loadPage(screen)
  fetchedPages.set(screen.path, loadingPage)
  loadingPage.catch(() => {
    fetchedPages.delete(screen.path)
    pageComponents.delete(screen.path)
  })
  return loadingPage
}

export const preloadPage = (screen: ModuleScreen): void => {
  fetchPage(screen).catch(() => {
    /* reported when it is opened */
  })
}

export function pageOf(screen: ModuleScreen): ComponentType {
  const cached = pageComponents.get(screen.path)
  if (cached) return cached
  const component = lazy(() => fetchPage(screen))
  pageComponents.set(screen.path, component)
  return component
}
