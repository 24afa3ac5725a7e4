import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(paths, () => import('./companies.tsx')),
  [paths.export]: () => import('./company-export.tsx').then(m => ({ default: m.ExportCompaniesPage })),
  [paths.moveOut]: () => import('./move-out.tsx'),
  [paths.workers]: () => import('./company-workers.tsx').then(m => ({ default: m.WorkersPage })),
  [paths.join]: () => import('./join.tsx'),
}
