import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/reservemanagement/depositaccount': () => import('./accounts.tsx'),
  '/finance/reservemanagement/preservedrecords': () =>
    import('./entries.tsx').then(m => ({ default: m.PrestoreRecordsPage })),
  '/finance/reservemanagement/offsetrecord': () =>
    import('./entries.tsx').then(m => ({ default: m.OffsetPage })),
  '/finance/reservemanagement/transfers': () => import('./transfers.tsx'),
  '/finance/reservemanagement/prestoresetting': () => import('./setting.tsx'),
}
