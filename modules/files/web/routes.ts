import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.manager]: () => import('./file-manager.tsx'),
  '/intelligence/filemgr': () => import('./file-manager.tsx'),
  [paths.bin]: () => import('./recycle-bin.tsx'),
  [paths.share]: () => import('./share-page.tsx'),
}
