import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(
    { list: paths.activities, add: paths.add, edit: paths.edit, detail: paths.detail },
    () => import('./activities.tsx'),
  ),
  [paths.checkIn]: () => import('./check-in.tsx'),
}
