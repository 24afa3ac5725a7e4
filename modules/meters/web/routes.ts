import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/intelligentMeter/checkmeter': () => import('./month-grid.tsx'),
  '/intelligentMeter/checkmeter/records': () => import('./records.tsx'),
  '/intelligentMeter/checkmeter/autocheckmeter': () => import('./smart.tsx'),
  '/intelligentMeter/checkmeter/mobilemeterreading': () => import('./phone.tsx'),
  '/intelligentMeter/plan': () => import('./plans.tsx'),
  '/intelligentMeter/report': () => import('./report.tsx'),
  '/intelligence/metermanage/metermanage': () => import('./meters.tsx'),
}
