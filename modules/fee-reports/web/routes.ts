import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/indexFinance': () => import('./finance-home.tsx'),
  '/finance/chargemanage/feeSummary': () => import('./fee-summary.tsx'),
  '/finance/reportCenter/financialManagement/charge': () => import('./charge.tsx'),
  '/finance/reportCenter/financialManagement/chargesummary': () => import('./charge-summary.tsx'),
  '/finance/reportCenter/financialManagement/room': () => import('./room.tsx'),
  '/finance/reportCenter/financialManagement/trade': () => import('./trade.tsx'),
  '/finance/reportCenter/financialManagement/meter': () => import('./meter.tsx'),
  '/finance/reportCenter/financialManagement/metermonthsummary': () => import('./meter-months.tsx'),
  '/finance/reportCenter/financialManagement/park': () => import('./parking.tsx'),
  '/finance/reportCenter/financialManagement/invoice': () => import('./invoice.tsx'),
  '/finance/reportCenter/financialManagement/summaryofreserves': () => import('./prestore.tsx'),
}
