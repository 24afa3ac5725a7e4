import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { depositScreens } from '../module.ts'

export const routes: Routes = crudRoutes(depositScreens.paths, () => import('./deposits.tsx'))
