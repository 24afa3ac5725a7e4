import { lazy, type ComponentType } from 'react'
import type { Routes } from '#kit/web/routes.ts'
import { residentScreens } from 'virtual:resident-screens'

// Addresses alone, in the first file: a page is one request away.
const routeFiles = import.meta.glob<{ routes: Routes }>('../../modules/*/web/resident-routes.ts', {
  eager: true,
})

type LoadPage = () => Promise<{ default: ComponentType }>

interface ResidentPage {
  readonly path: string
  readonly title: string
  readonly load: LoadPage
  readonly Page: ComponentType
}

const keyOf = (path: string): string => path.toLowerCase().replace(/(.)\/+$/, '$1')

const routes = new Map(
  Object.values(routeFiles).flatMap(file =>
    Object.entries(file.routes).map(([path, load]) => [keyOf(path), load] as const),
  ),
)

const pages = new Map<string, ResidentPage>(
  residentScreens.flatMap(({ path, title }) => {
    const load = routes.get(keyOf(path))
    return load ? [[keyOf(path), { path, title, load, Page: lazy(load) }] as const] : []
  }),
)

export const findResidentPage = (path: string): ResidentPage | undefined => pages.get(keyOf(path))

/** Begins to fetch a page before anything is drawn. */
export function fetchResidentPage(path: string): void {
  findResidentPage(path)
    ?.load()
    .catch(() => {
      /* reported when it is drawn */
    })
}
