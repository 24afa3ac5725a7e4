import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes({ list: paths.elevators, add: paths.elevatorAdd }, () => import('./elevators.tsx')),
  ...crudRoutes({ list: paths.maintenance, add: paths.maintenanceAdd }, () => import('./maintenance.tsx')),
  [paths.setup]: () => import('./setup.tsx'),
  [paths.floors]: () => import('./floor-page.tsx'),
  [paths.records]: () => import('./call-records.tsx'),
  [paths.remote]: () => import('./remote.tsx'),
  [paths.alarms]: () => import('./alarms.tsx'),
}
