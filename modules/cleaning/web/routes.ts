import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths, templateScreens } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes({ list: paths.locations }, () => import('./locations.tsx')),
  ...crudRoutes(templateScreens.paths, () => import('./templates.tsx')),
}
