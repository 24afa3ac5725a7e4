import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.shop]: () => import('./shop.tsx'),
  [paths.claim]: () => import('./claim.tsx'),
}
