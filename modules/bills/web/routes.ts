import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/chargemanage/chargeList/generate': () => import('./generate.tsx'),
  '/finance/chargemanage/chargeList/runs': () => import('./runs.tsx'),
  '/finance/chargemanage/chargeList/reprice': () => import('./reprice.tsx'),
  '/finance/chargemanage/sharepools': () => import('./pools.tsx'),
  '/finance/chargemanage/chargeList': () => import('./list.tsx').then(m => ({ default: m.BillsPage })),
  '/finance/chargemanage/unpaidbills': () => import('./list.tsx').then(m => ({ default: m.UnpaidPage })),
  '/finance/chargemanage/debtors': () => import('./debtors.tsx'),
  '/finance/chargemanage/demandmoney': () => import('./notices.tsx'),
  '/finance/chargemanage/gaps': () => import('./gaps.tsx'),
  '/finance/chargemanage/followups': () => import('./follow-ups.tsx'),
  '/finance/chargemanage/redundantbills': () => import('./redundant.tsx'),
  '/doprint': () => import('./print-page.tsx'),
}
