import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.sheets]: () => import('./sheets.tsx'),
  [paths.passed]: () => import('./passed.tsx'),
  [paths.standards]: () => import('./standards.tsx'),
  [paths.detail]: () => import('./sheet-detail.tsx'),
  [paths.print]: () => import('./sheet-print.tsx'),
  [paths.phone]: () => import('./phone.tsx'),
}
