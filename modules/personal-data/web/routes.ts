import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.people]: () => import('./people.tsx'),
  [paths.erasures]: () => import('./erasures.tsx'),
  [paths.erasure]: () => import('./erasure-detail.tsx'),
  [paths.retention]: () => import('./retention.tsx'),
}
