import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.waiting]: () => import('./waiting-payments.tsx'),
  [paths.list]: () => import('./list.tsx'),
  [paths.detail]: () => import('./detail.tsx'),
  [paths.entries]: () => import('./entries.tsx'),
  [paths.setting]: () => import('./settings.tsx'),
}
