import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/chargemanage/reconcile': () => import('./channel-bills.tsx'),
  '/finance/chargemanage/reconcile/items': () => import('./reconcile-items.tsx'),
  '/finance/chargemanage/reconcile/day/:id': () => import('./channel-bill-day.tsx'),
}
