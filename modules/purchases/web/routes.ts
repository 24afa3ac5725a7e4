import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.own]: () => import('./own.tsx'),
  [paths.records]: () => import('./records.tsx'),
  [paths.detail]: () => import('./detail.tsx'),
  [paths.form]: () => import('./form.tsx'),
  [paths.print]: () => import('./print.tsx'),
  [paths.orders]: () => import('./orders.tsx'),
  [paths.orderPrint]: () => import('./order-print.tsx'),
  [paths.receipts]: () => import('./receipts.tsx'),
  [paths.settings]: () => import('./settings.tsx'),
  [paths.phone]: () => import('./phone.tsx'),
  ...crudRoutes({ list: paths.suppliers }, () => import('./suppliers.tsx')),
}
