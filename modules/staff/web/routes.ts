import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/internal/personnel/addresslist': () => import('./list.tsx'),
  '/internal/personnel/addresslist/add': () => import('./form.tsx').then(m => ({ default: m.AddStaffPage })),
  '/internal/personnel/addresslist/edit': () =>
    import('./form.tsx').then(m => ({ default: m.EditStaffPage })),
  '/internal/personnel/addresslist/detail': () => import('./detail.tsx'),
  '/internal/personnel/stafftags': () => import('./tags.tsx'),
}
