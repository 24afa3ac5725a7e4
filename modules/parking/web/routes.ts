import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/service/data/parklots': () => import('./parks.tsx'),
  '/service/data/parklots/addparklots': () => import('./park-form.tsx'),
  '/service/data/parklots/parklotsDetail': () => import('./park-detail.tsx'),
  '/service/data/parklots/carportlist': () => import('./places.tsx'),
  '/service/data/parklots/carportlist/addcarport': () => import('./place-form.tsx'),
  '/service/data/parklots/carportlist/carportDetail': () => import('./place-detail.tsx'),
  '/service/data/parklots/carportlist/exportcarport': () => import('./export.tsx'),
}
