import type { Routes } from '#kit/web/routes.ts'
import { guidePath } from '../module.ts'

export const routes: Routes = {
  [guidePath]: () => import('./setup-guide.tsx'),
}
