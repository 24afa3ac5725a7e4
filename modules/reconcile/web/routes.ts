import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.channelBills]: () => import('./channel-bills.tsx'),
  [paths.reconcileItems]: () => import('./reconcile-items.tsx'),
  [paths.channelBillDay]: () => import('./channel-bill-day.tsx'),
}
