import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { carGroupScreens, carScreens, parkScreens, placeExportPath, placeScreens } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(parkScreens.paths, () => import('./parks.tsx')),
  ...crudRoutes(placeScreens.paths, () => import('./park-places.tsx')),
  ...crudRoutes(carScreens.paths, () => import('./cars.tsx')),
  ...crudRoutes(carGroupScreens.paths, () => import('./car-groups.tsx')),
  [placeExportPath]: () => import('./park-place-export.tsx'),
}
