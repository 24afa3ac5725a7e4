import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.coupons]: () => import('./coupons-page.tsx'),
  ...crudRoutes({ add: paths.add, detail: paths.detail }, () => import('./coupons.tsx')),
  ...crudRoutes({ detail: paths.order }, () => import('./orders.tsx')),
  [paths.orderTrades]: () => import('./order-trades.tsx'),
  ...crudRoutes({ detail: paths.ticket }, () => import('./tickets.tsx')),
  [paths.tickets]: () => import('./tickets-page.tsx'),
  [paths.buy]: () => import('./buy.tsx'),
}
