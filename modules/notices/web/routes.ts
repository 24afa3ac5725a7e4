import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { advertisementScreens, matterScreens, noticeScreens, paths } from '../module.ts'

const { list, ...noticePages } = noticeScreens.paths

export const routes: Routes = {
  [list]: () => import('./notices-page.tsx'),
  ...crudRoutes(noticePages, () => import('./notices.tsx')),
  [paths.direct]: () => import('./direct-page.tsx'),
  ...crudRoutes(advertisementScreens.paths, () => import('./advertisements.tsx')),
  ...crudRoutes(matterScreens.paths, () => import('./matters.tsx')),
  [paths.screen]: () => import('./screen.tsx'),
}
