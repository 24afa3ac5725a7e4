import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/chargemanage/deposits': () => import('./deposits.tsx'),
}
