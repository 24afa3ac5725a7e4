import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths, templateScreens } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes({ list: paths.locations }, () => import('./locations.tsx')),
  ...crudRoutes(templateScreens.paths, () => import('./templates.tsx')),
  [paths.plans]: () => import('./work-plans.tsx'),
  [paths.planForm]: () => import('./work-plan-form.tsx'),
  [paths.planDetail]: () => import('./work-plan-detail.tsx'),
  [paths.tasks]: () => import('./work-tasks.tsx'),
  [paths.records]: () => import('./work-records.tsx'),
  [paths.task]: () => import('./work-task.tsx'),
  [paths.phone]: () => import('./phone.tsx'),
}
