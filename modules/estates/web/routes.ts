import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/service/data/statelist': () => import('./estates.tsx'),
  '/service/data/statelist/addstate': () =>
    import('./estate-form.tsx').then(m => ({ default: m.AddEstatePage })),
  '/service/data/statelist/editstate': () =>
    import('./estate-form.tsx').then(m => ({ default: m.EditEstatePage })),
  '/service/data/buildlist': () => import('./buildings.tsx'),
  '/service/data/buildlist/addbuilds': () =>
    import('./building-form.tsx').then(m => ({ default: m.AddBuildingPage })),
  '/service/data/buildlist/editbuilds': () =>
    import('./building-form.tsx').then(m => ({ default: m.EditBuildingPage })),
  '/service/data/PublicAreaManage': () => import('./public-areas.tsx'),
  '/service/data/PublicAreaManage/PublicAreaDetail': () => import('./public-area-detail.tsx'),
}
