import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.settings]: () => import('./settings.tsx'),
  [paths.design]: () => import('./design.tsx'),
  [paths.data]: () => import('./data.tsx'),
  [paths.history]: () => import('./history.tsx'),
  [paths.detail]: () => import('./detail.tsx'),
  [paths.print]: () => import('./print.tsx'),
  [paths.own]: () => import('./own.tsx'),
  [paths.request]: () => import('./request.tsx'),
  [paths.phone]: () => import('./phone.tsx'),
}
