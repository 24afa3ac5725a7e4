import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { merchantDetailPaths, merchantScreens } from '../module.ts'

const load = () => import('./merchants.tsx')

export const routes: Routes = {
  ...crudRoutes(merchantScreens.paths, load),
  ...crudRoutes({ detail: merchantDetailPaths.detail }, load),
  ...crudRoutes({ detail: merchantDetailPaths.details }, load),
}
