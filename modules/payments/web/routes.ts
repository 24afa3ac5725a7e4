import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/chargemanage/cashier': () => import('./cashier.tsx'),
  '/finance/chargemanage/cashier/cashierdetail': () => import('./cashier.tsx'),
}
