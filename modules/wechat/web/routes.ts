import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  ...crudRoutes(
    { list: paths.accounts, add: paths.add, detail: paths.detail },
    () => import('./accounts.tsx'),
  ),
  ...crudRoutes({ add: paths.addMaterial }, () => import('./materials.tsx')),
  ...crudRoutes({ list: paths.miniImages }, () => import('./mini-images.tsx')),
  [paths.replies]: () => import('./replies.tsx'),
  [paths.menu]: () => import('./menu-editor.tsx'),
  [paths.materials]: () => import('./materials.tsx'),
}
