import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.accounts]: () => import('./accounts.tsx'),
  [paths.entries]: () => import('./entries.tsx').then(m => ({ default: m.PrestoreRecordsPage })),
  [paths.offsets]: () => import('./entries.tsx').then(m => ({ default: m.OffsetPage })),
  [paths.transfers]: () => import('./transfers.tsx'),
  [paths.setting]: () => import('./setting.tsx'),
}
