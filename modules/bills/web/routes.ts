import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/chargemanage/chargeList/generate': () => import('./generate.tsx'),
  '/finance/chargemanage/chargeList/runs': () => import('./runs.tsx'),
  '/finance/chargemanage/sharepools': () => import('./pools.tsx'),
}
