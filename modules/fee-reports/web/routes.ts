import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/indexFinance': () => import('./home.tsx'),
  '/finance/chargemanage/feeSummary': () => import('./fee-summary.tsx'),
  '/finance/reportCenter/financialManagement/charge': () => import('./charge.tsx'),
  '/finance/reportCenter/financialManagement/chargesummary': () => import('./chargesummary.tsx'),
}
