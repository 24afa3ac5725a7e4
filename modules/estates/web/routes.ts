import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { buildingScreens, estateScreens, publicAreaScreens } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(estateScreens.paths, () => import('./estates.tsx')),
  ...crudRoutes(buildingScreens.paths, () => import('./buildings.tsx')),
  ...crudRoutes(publicAreaScreens.paths, () => import('./public-areas.tsx')),
}
