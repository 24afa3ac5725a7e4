import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths, templateScreens } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(templateScreens.paths, () => import('./templates.tsx')),
  ...crudRoutes({ list: paths.areas }, () => import('./areas.tsx')),
  ...crudRoutes({ list: paths.devices }, () => import('./devices.tsx')),
  [paths.plans]: () => import('./plans.tsx'),
  [paths.planForm]: () => import('./plan-form.tsx'),
  [paths.officers]: () => import('./officers.tsx'),
  [paths.planDetail]: () => import('./plan-detail.tsx'),
  [paths.tasks]: () => import('./tasks.tsx'),
  [paths.task]: () => import('./task-detail.tsx'),
  [paths.logs]: () => import('./logs.tsx'),
  [paths.rates]: () => import('./rates.tsx'),
  [paths.report]: () => import('./report.tsx'),
  [paths.walk]: () => import('./walk.tsx'),
  [paths.importPoints]: () => import('./import-points.tsx'),
  [paths.drawing]: () => import('./area-drawing.tsx'),
  [paths.points]: () => import('./points.tsx'),
  [paths.roads]: () => import('./roads.tsx'),
  [paths.addRoad]: () => import('./road-form.tsx'),
  [paths.editRoad]: () => import('./road-form.tsx'),
}
