import type { Routes } from '#kit/web/routes.ts'

const base = '/finance/reservemanagement'
export const routes: Routes = {
  [`${base}/depositaccount`]: () => import('./accounts.tsx'),
  [`${base}/preservedrecords`]: () => import('./entries.tsx').then(m => ({ default: m.PreservedPage })),
  [`${base}/offsetrecord`]: () => import('./entries.tsx').then(m => ({ default: m.OffsetPage })),
  [`${base}/summary`]: () => import('./summary.tsx'),
  [`${base}/prestoresetting`]: () => import('./setting.tsx'),
}
