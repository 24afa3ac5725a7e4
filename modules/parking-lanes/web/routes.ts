import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.stays]: () => import('./stays.tsx'),
  ...crudRoutes({ list: paths.charges, detail: paths.chargeDetail }, () => import('./charges.tsx')),
  [paths.chargeTrades]: () => import('./charge-trades.tsx'),
  [paths.setup]: () => import('./setup.tsx'),
}
