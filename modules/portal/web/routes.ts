import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import {
  imageTextScreens,
  noticeScreens,
  paths,
  projectScreens,
  serviceScreens,
  websiteScreens,
} from '../module.ts'

export const routes: Routes = {
  [paths.home]: () => import('./home.tsx'),
  [paths.notice]: () => import('./notice.tsx'),
  [paths.imageText]: () => import('./image-text.tsx'),
  [noticeScreens.paths.list]: () => import('./notices.tsx'),
  ...crudRoutes(websiteScreens.paths, () => import('./websites.tsx')),
  ...crudRoutes(serviceScreens.paths, () => import('./services.tsx')),
  ...crudRoutes(projectScreens.paths, () => import('./projects.tsx')),
  ...crudRoutes(imageTextScreens.paths, () => import('./image-texts.tsx')),
}
