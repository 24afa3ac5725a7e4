import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.host]: () => import('./host.tsx'),
  [paths.guest]: () => import('./guest.tsx'),
}
