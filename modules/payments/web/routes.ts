import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.endingCredits]: () => import('./ending-credits.tsx'),
  [paths.cashier]: () => import('./cashier.tsx'),
  [paths.cashierDetail]: () => import('./cashier.tsx'),
  [paths.records]: () => import('./records.tsx'),
  [paths.recordDetail]: () => import('./record-detail.tsx'),
  [paths.trades]: () => import('./trades.tsx'),
  [paths.refunds]: () => import('./refunds.tsx'),
  [paths.handover]: () => import('./handovers.tsx'),
  [paths.close]: () => import('./day-closes.tsx'),
  [paths.channels]: () => import('./channels.tsx'),
  [paths.terminals]: () => import('./terminals.tsx'),
}
