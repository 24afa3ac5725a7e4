import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { parkScreens, placeExportPath, placeScreens } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(parkScreens.paths, () => import('./parks.tsx')),
  ...crudRoutes(placeScreens.paths, () => import('./park-places.tsx')),
  [placeExportPath]: () => import('./park-place-export.tsx'),
}
