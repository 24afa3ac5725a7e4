import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.readings]: () => import('./month-grid.tsx'),
  [paths.records]: () => import('./records.tsx'),
  [paths.smart]: () => import('./smart.tsx'),
  [paths.phoneReading]: () => import('./phone.tsx'),
  [paths.plans]: () => import('./plans.tsx'),
  [paths.report]: () => import('./report.tsx'),
  [paths.meters]: () => import('./meters.tsx'),
}
