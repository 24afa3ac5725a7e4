import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/service/data/parklots': () => import('./parks.tsx'),
  '/service/data/parklots/addparklots': () => import('./park-form.tsx'),
  '/service/data/parklots/parklotsDetail': () => import('./park-detail.tsx'),
  '/service/data/parklots/carportlist': () => import('./park-places.tsx'),
  '/service/data/parklots/carportlist/addcarport': () => import('./park-place-form.tsx'),
  '/service/data/parklots/carportlist/carportDetail': () => import('./park-place-detail.tsx'),
  '/service/data/parklots/carportlist/exportcarport': () => import('./park-place-export.tsx'),
}
