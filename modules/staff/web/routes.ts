import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/internal/personnel/addresslist': () => import('./staff-list.tsx'),
  '/internal/personnel/addresslist/add': () =>
    import('./staff-form.tsx').then(m => ({ default: m.AddStaffPage })),
  '/internal/personnel/addresslist/edit': () =>
    import('./staff-form.tsx').then(m => ({ default: m.EditStaffPage })),
  '/internal/personnel/addresslist/detail': () => import('./staff-detail.tsx'),
  '/internal/personnel/stafftags': () => import('./staff-tags.tsx'),
}
