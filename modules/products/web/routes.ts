import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.renew]: () => import('./renewal.tsx'),
  [paths.orders]: () => import('./orders.tsx'),
  [paths.products]: () => import('./product-center.tsx'),
  [paths.productDetail]: () => import('./product-detail.tsx'),
  [paths.valueServices]: () => import('./value-services.tsx'),
  [paths.callSeats]: () => import('./call-seats.tsx'),
  [paths.valueServiceDetail]: () => import('./value-service-detail.tsx'),
  [paths.buySms]: () => import('./buy-sms.tsx'),
  [paths.valueServiceOrder]: () => import('./value-service-order.tsx'),
}
