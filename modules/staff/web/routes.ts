import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths, staffScreens, staffTagScreens } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(staffScreens.paths, () => import('./staff.tsx')),
  [paths.cards]: () => import('./staff-cards.tsx'),
  ...crudRoutes(staffTagScreens.paths, () => import('./staff-tags.tsx')),
}
