import { crudRoutes, type Routes } from '#kit/web/routes.ts'
import { smsScreens } from '../module.ts'

const { list, add, detail } = smsScreens.paths

export const routes: Routes = {
  [list]: () => import('./sms-page.tsx'),
  [add]: () => import('./send-sms.tsx'),
  ...crudRoutes({ detail }, () => import('./tasks.tsx')),
}
