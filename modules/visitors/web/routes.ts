import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.invitations]: () => import('./invitations.tsx'),
  [paths.invitation]: () => import('./invitation-page.tsx'),
  [paths.approval]: () => import('./approval.tsx'),
  [paths.settings]: () => import('./settings.tsx'),
  [paths.information]: () => import('./information.tsx'),
  [paths.visits]: () => import('./visits.tsx'),
}
