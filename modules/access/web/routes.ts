import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes({ list: paths.doorways }, () => import('./doorways.tsx')),
  ...crudRoutes({ list: paths.devices }, () => import('./doorway-devices.tsx')),
  [paths.setup]: () => import('./setup.tsx'),
}
