import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.home]: () => import('./finance-home.tsx'),
  [paths.feeSummary]: () => import('./fee-summary.tsx'),
  [paths.charge]: () => import('./charge.tsx'),
  [paths.chargeSummary]: () => import('./charge-summary.tsx'),
  [paths.room]: () => import('./room.tsx'),
  [paths.trade]: () => import('./trade.tsx'),
  [paths.meter]: () => import('./meter.tsx'),
  [paths.meterMonths]: () => import('./meter-months.tsx'),
  [paths.parking]: () => import('./parking.tsx'),
  [paths.invoice]: () => import('./invoice.tsx'),
  [paths.prestore]: () => import('./prestore.tsx'),
}
