import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.residentNotices]: () => import('./resident-notices.tsx'),
  [paths.residentNotice]: () => import('./resident-notice.tsx'),
  [paths.residentMatters]: () => import('./resident-matters.tsx'),
}
