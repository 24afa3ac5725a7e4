import { lazy, type ComponentType } from 'react'
import type { Routes } from '#kit/web/routes.ts'
import { registerScreens } from '#kit/web/screen-registry.ts'
import { buildScreenMap, type ModuleScreen } from '#kit/web/shell/screen-map.ts'
import { RequestFailure } from '#kit/web/send.ts'
import { manifests as slim } from 'virtual:manifests'
import { fromBrowserManifests, type ScreenManifest } from './browser-manifest.ts'

const routeFiles = import.meta.glob<{ routes: Routes }>('../../modules/*/web/routes.ts')

// The workbench shows what modules lend: their list comes beside its code, not after it.
const homeRoutes: Routes = {
  '/work': () => {
    import('./extensions.ts').catch(() => {
      /* asked for again by the workbench itself */
    })
    return import('#kit/web/shell/workbench.tsx')
  },
}

/** The one screen that belongs to no module: it shows what all of them lend. */
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
const declaredPaths = new Set(modules.flatMap(m => m.screens.map(s => s.path.toLowerCase())))

const manifests: readonly ScreenManifest[] = [
  { ...homeManifest, screens: homeManifest.screens.filter(s => !declaredPaths.has(s.path.toLowerCase())) },
  ...modules,
]

export const screens = buildScreenMap(manifests)
registerScreens(manifests)

const fetchedPages = new Map<string, Promise<{ default: ComponentType }>>()
const pageComponents = new Map<string, ComponentType>()

/** The code of a screen, fetched once; after a failure it is fetched again. */
async function loadPage(s: ModuleScreen): Promise<{ default: ComponentType }> {
  const routes =
    s.module === 'home'
      ? homeRoutes
      : (await routeFiles[`../../modules/${s.module}/web/routes.ts`]?.())?.routes
  const path = Object.keys(routes ?? {}).find(p => p.toLowerCase() === s.path.toLowerCase())
  if (!path) throw new RequestFailure(404, `没有页面 ${s.path}`)
  return await routes![path]!()
}

function fetchPage(s: ModuleScreen): Promise<{ default: ComponentType }> {
  const known = fetchedPages.get(s.path)
  if (known) return known
  const asked = loadPage(s)
  fetchedPages.set(s.path, asked)
  asked.catch(() => {
    fetchedPages.delete(s.path)
    pageComponents.delete(s.path)
  })
  return asked
}

export const preloadPage = (s: ModuleScreen): void => {
  fetchPage(s).catch(() => {
    /* told when it is opened */
  })
}

export function pageOf(s: ModuleScreen): ComponentType {
  const known = pageComponents.get(s.path)
  if (known) return known
  const made = lazy(() => fetchPage(s))
  pageComponents.set(s.path, made)
  return made
}
