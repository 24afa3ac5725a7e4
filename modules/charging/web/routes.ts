import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes({ list: paths.hubs, detail: paths.hubDetail }, () => import('./hubs.tsx')),
  ...crudRoutes({ list: paths.orders, detail: paths.orderDetail }, () => import('./orders.tsx')),
  ...crudRoutes({ list: paths.standards }, () => import('./standards.tsx')),
  ...crudRoutes({ list: paths.exceptions, detail: paths.exceptionDetail }, () => import('./exceptions.tsx')),
}
