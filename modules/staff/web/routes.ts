import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { staffScreens, staffTagScreens } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(staffScreens.paths, () => import('./staff.tsx')),
  ...crudRoutes(staffTagScreens.paths, () => import('./staff-tags.tsx')),
}
