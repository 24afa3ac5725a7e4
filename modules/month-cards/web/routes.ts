import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes({ list: paths.list, detail: paths.detail }, () => import('./orders.tsx')),
  [paths.renew]: () => import('./renew.tsx'),
}
