import { lazy, type ComponentType } from 'react'
import type { Routes } from '#kit/web/routes.ts'
import { knowScreens } from '#kit/web/screens.ts'
import { mapScreens, type Placed } from '#kit/web/shell/screens.ts'
import { Failure } from '#kit/web/send.ts'
import { plates as slim } from 'virtual:plates'
import { whole, type Plate } from './slim.ts'

const files = import.meta.glob<{ routes: Routes }>('../../modules/*/web/routes.ts')

// The workbench shows what modules lend: their list comes beside its code, not after it.
const own: Routes = {
  '/work': () => {
    import('./lent.ts').catch(() => {
      /* asked for again by the workbench itself */
    })
    return import('#kit/web/shell/workbench.tsx')
  },
}

/** The one screen that belongs to no module: it shows what all of them lend. */
const home: Plate = {
  name: 'home',
  screens: [
    { path: '/', title: '首页', needs: undefined, to: '/work' },
    { path: '/work', title: '工作台', needs: undefined, domain: 'work', group: '工作台', across: true },
  ],
}

const modules = whole(slim)

/** In the order of the menu. */
export const moduleNames = modules.map(m => m.name)
const declared = new Set(modules.flatMap(m => m.screens.map(s => s.path.toLowerCase())))

const plates: readonly Plate[] = [
  { ...home, screens: home.screens.filter(s => !declared.has(s.path.toLowerCase())) },
  ...modules,
]

export const screens = mapScreens(plates)
knowScreens(plates)

const fetched = new Map<string, Promise<{ default: ComponentType }>>()
const pages = new Map<string, ComponentType>()

/** The code of a screen, fetched once; after a failure it is fetched again. */
async function code(s: Placed): Promise<{ default: ComponentType }> {
  const routes =
    s.module === 'home' ? own : (await files[`../../modules/${s.module}/web/routes.ts`]?.())?.routes
  const path = Object.keys(routes ?? {}).find(p => p.toLowerCase() === s.path.toLowerCase())
  if (!path) throw new Failure(404, `没有页面 ${s.path}`)
  return await routes![path]!()
}

function fetchPage(s: Placed): Promise<{ default: ComponentType }> {
  const known = fetched.get(s.path)
  if (known) return known
  const asked = code(s)
  fetched.set(s.path, asked)
  asked.catch(() => {
    fetched.delete(s.path)
    pages.delete(s.path)
  })
  return asked
}

export const warm = (s: Placed): void => {
  fetchPage(s).catch(() => {
    /* told when it is opened */
  })
}

export function page(s: Placed): ComponentType {
  const known = pages.get(s.path)
  if (known) return known
  const made = lazy(() => fetchPage(s))
  pages.set(s.path, made)
  return made
}
