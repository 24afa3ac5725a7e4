import { defined } from '#kit/domain/defined.ts'
import { lazy, type ComponentType } from 'react'
import type { Routes } from '#kit/web/routes.ts'
import { RequestFailure } from '#kit/web/send.ts'
import type { ModuleScreen } from '#kit/web/shell/screen-map.ts'

type RoutesLoader = () => Promise<{ readonly routes: Routes }>

const routesLoaders = new Map<string, RoutesLoader>()
const fetchedPages = new Map<string, Promise<{ default: ComponentType }>>()
const pageComponents = new Map<string, ComponentType>()

/** Where the code of a module's screens is; at first that of the screens of sign-in is known alone. */
export function addRoutes(moduleName: string, load: RoutesLoader): void {
  routesLoaders.set(moduleName, load)
}

/** The code of a screen, fetched once; after a failure it is fetched again. */
async function loadPage(screen: ModuleScreen): Promise<{ default: ComponentType }> {
  const routes = (await routesLoaders.get(screen.module)?.())?.routes ?? {}
  const path = Object.keys(routes).find(p => p.toLowerCase() === screen.path.toLowerCase())
  if (!path) throw new RequestFailure(404, `没有页面 ${screen.path}`)
  return await defined(routes[path])()
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
