import type { Routes } from '#kit/web/routes.ts'
import { registerScreens } from '#kit/web/screen-registry.ts'
import { buildScreenMap, unknownScreen } from '#kit/web/shell/screen-map.ts'
import { manifests as slim } from 'virtual:manifests'
import { menuGroups } from './menu-groups.ts'
import { fromBrowserManifests, type ScreenManifest } from './browser-manifest.ts'
import { addRoutes } from './pages.ts'

// The list of all screens: a file of its own, which sign-in does without (`screen-list.ts`).

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

addRoutes(homeManifest.name, () => Promise.resolve({ routes: homeRoutes }))
for (const [file, load] of Object.entries(routeFiles)) {
  addRoutes(file.split('/')[3] ?? '', load)
}
