import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/setting/baseSetting/initGuide': () => import('./setup-guide.tsx'),
}
