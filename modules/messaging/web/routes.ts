import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { paths, smsScreens } from '../module.ts'

const { list, add, detail } = smsScreens.paths

export const routes: Routes = {
  [list]: () => import('./sms-page.tsx'),
  [add]: () => import('./send-sms.tsx'),
  [paths.statistics]: () => import('./statistics-page.tsx'),
  ...crudRoutes({ detail }, () => import('./tasks.tsx')),
}
