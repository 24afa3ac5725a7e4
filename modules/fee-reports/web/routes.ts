import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/reportCenter/financialManagement/charge': () => import('./charge.tsx'),
  '/finance/reportCenter/financialManagement/chargesummary': () => import('./chargesummary.tsx'),
}
