import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.keys]: () => import('./api-key-list.tsx'),
  [paths.keyForm]: () => import('./api-key-form.tsx'),
  [paths.keyDetail]: () => import('./api-key-detail.tsx'),
  [paths.webhooks]: () => import('./webhook-list.tsx'),
  [paths.webhookDetail]: () => import('./webhook-detail.tsx'),
}
