import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.plans]: () => import('./plans.tsx'),
  [paths.planForm]: () => import('./plan-form.tsx'),
  [paths.planDetail]: () => import('./plan-detail.tsx'),
  [paths.tasks]: () => import('./tasks.tsx'),
  [paths.records]: () => import('./records.tsx'),
  [paths.task]: () => import('./task-detail.tsx'),
  [paths.calendar]: () => import('./calendar.tsx'),
  [paths.figures]: () => import('./figures.tsx'),
  [paths.allTasks]: () => import('./all-tasks.tsx'),
  [paths.allRecords]: () => import('./all-records.tsx'),
  [paths.phone]: () => import('./phone.tsx'),
  ...crudRoutes({ list: paths.standards }, () => import('./standards.tsx')),
}
