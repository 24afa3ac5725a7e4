import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.booth]: () => import('./booth.tsx'),
  ...crudRoutes({ list: paths.shifts, detail: paths.shiftDetail }, () => import('./shifts.tsx')),
  [paths.flow]: () => import('./flow.tsx'),
}
