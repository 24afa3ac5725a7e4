import type { CrudPages } from '#kit/web/crud/crud-pages.tsx'
import type { Routes } from '#kit/web/routes.ts'
import {
  imageTextScreens,
  noticeScreens,
  paths,
  projectScreens,
  serviceScreens,
  websiteScreens,
} from '../module.ts'

const loadEntries = () => import('./entries.tsx')

/** The four kinds of entry share one file. */
const pagesOf = (
  { list }: typeof websiteScreens.paths,
  pick: (entries: typeof import('./entries.tsx')) => CrudPages,
): Routes => ({
  [list]: Object.assign(async () => ({ default: pick(await loadEntries()).List }), { load: loadEntries }),
})

export const routes: Routes = {
  [paths.home]: () => import('./home.tsx'),
  [paths.notice]: () => import('./notice.tsx'),
  [paths.imageText]: () => import('./image-text.tsx'),
  [noticeScreens.paths.list]: () => import('./notices.tsx'),
  ...pagesOf(websiteScreens.paths, entries => entries.websitePages),
  ...pagesOf(serviceScreens.paths, entries => entries.servicePages),
  ...pagesOf(projectScreens.paths, entries => entries.projectPages),
  ...pagesOf(imageTextScreens.paths, entries => entries.imageTextPages),
}
