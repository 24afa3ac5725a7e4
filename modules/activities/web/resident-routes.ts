import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.homeActivities]: () => import('./home-activities.tsx'),
  [paths.homeActivity]: () => import('./home-activity.tsx'),
}
