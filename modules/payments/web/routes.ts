import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/chargemanage/endingcredits': () => import('./ending-credits.tsx'),
  '/finance/chargemanage/cashier': () => import('./cashier.tsx'),
  '/finance/chargemanage/cashier/cashierdetail': () => import('./cashier.tsx'),
  '/finance/chargemanage/paidbills': () => import('./records.tsx'),
  '/finance/chargemanage/paidbills/paidbilldetail/:id': () => import('./record-detail.tsx'),
  '/finance/chargemanage/tradingcenter': () => import('./trades.tsx'),
  '/finance/chargemanage/backpaidbills': () => import('./refunds.tsx'),
  '/finance/chargemanage/handover': () => import('./handovers.tsx'),
  '/finance/chargemanage/dayclose': () => import('./day-closes.tsx'),
  '/setting/baseSetting/oalist/payset': () => import('./channels.tsx'),
  '/setting/baseSetting/oalist/posterminal': () => import('./terminals.tsx'),
}
