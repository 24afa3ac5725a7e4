import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/chargemanage/reconcile': () => import('./list.tsx'),
  '/finance/chargemanage/reconcile/items': () => import('./items.tsx'),
  '/finance/chargemanage/reconcile/day/:id': () => import('./day.tsx'),
}
