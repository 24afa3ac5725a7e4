import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { intercomScreens, locksPath, paths, processPath } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes({ list: paths.doorways }, () => import('./doorways.tsx')),
  ...crudRoutes({ list: paths.devices }, () => import('./doorway-devices.tsx')),
  [paths.passages]: () => import('./passages.tsx'),
  [paths.alarms]: () => import('./doorway-alarms.tsx'),
  ...crudRoutes({ list: paths.equipment }, () => import('./doorway-devices.tsx')),
  [paths.parameters]: () => import('./device-parameters.tsx'),
  [paths.setup]: () => import('./setup.tsx'),
  [paths.ownStaff]: () => import('./own-staff.tsx'),
  [processPath]: () => import('./process.tsx'),
  ...crudRoutes(intercomScreens.paths, () => import('./intercoms.tsx')),
  ...crudRoutes({ list: locksPath }, () => import('./locks.tsx')),
}
