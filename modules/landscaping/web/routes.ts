import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(paths.areas, () => import('./green-areas.tsx')),
  ...crudRoutes(paths.plants, () => import('./plants.tsx')),
  ...crudRoutes(paths.templates, () => import('./templates.tsx')),
}
