import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(paths.areas, () => import('./green-areas.tsx')),
  ...crudRoutes(paths.plants, () => import('./plants.tsx')),
  ...crudRoutes(paths.templates, () => import('./templates.tsx')),
  [paths.plans]: () => import('./work-plans.tsx'),
  [paths.planForm]: () => import('./work-plan-form.tsx'),
  [paths.planDetail]: () => import('./work-plan-detail.tsx'),
  [paths.tasks]: () => import('./work-tasks.tsx'),
  [paths.records]: () => import('./work-records.tsx'),
  [paths.task]: () => import('./work-task.tsx'),
  [paths.phone]: () => import('./phone.tsx'),
}
