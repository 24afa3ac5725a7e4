import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

const register = () => import('./register.tsx')

export const routes: Routes = {
  [paths.record]: () => import('./order-list.tsx'),
  [paths.dispatch]: () => import('./dispatch-board.tsx'),
  [paths.register]: register,
  [paths.addOrder]: register,
  [paths.check]: () => import('./audit.tsx'),
  [paths.finance]: () => import('./charge-list.tsx'),
  [paths.material]: () => import('./material-list.tsx'),
  [paths.customerService]: () => import('./customer-service.tsx'),
  [paths.setting]: () => import('./settings.tsx'),
  [paths.home]: () => import('./quality-home.tsx'),
  [paths.detail]: () => import('./order-detail.tsx'),
  [paths.own]: () => import('./mobile.tsx'),
}
