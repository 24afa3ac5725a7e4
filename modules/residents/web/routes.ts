import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/customer/usermanage': () => import('./resident-list.tsx'),
  '/customer/usermanage/adduser': () =>
    import('./resident-form.tsx').then(m => ({ default: m.AddResidentPage })),
  '/customer/usermanage/edituser': () =>
    import('./resident-form.tsx').then(m => ({ default: m.EditResidentPage })),
  '/customer/usermanage/userdetail': () => import('./resident-detail.tsx'),
  '/customer/usermanage/immigration': () => import('./move-in.tsx'),
  '/customer/usermanage/residency': () =>
    import('./residencies.tsx').then(m => ({ default: m.ResidenciesPage })),
  '/customer/usermanage/movements': () =>
    import('./residency-log.tsx').then(m => ({ default: m.ResidencyLogPage })),
  '/customer/usermanage/blocklist': () => import('./resident-blocks.tsx'),
  '/customer/usermanage/cards': () => import('./identity-cards.tsx').then(m => ({ default: m.CardsPage })),
  '/customer/usermanage/faces': () => import('./identity-cards.tsx').then(m => ({ default: m.FacesPage })),
  '/baseuserlist': () => import('./base-users.tsx').then(m => ({ default: m.BaseUsersPage })),
  '/addbaseuser': () => import('./base-users.tsx').then(m => ({ default: m.AddBaseUserPage })),
  '/baseuserdetail': () => import('./resident-detail.tsx'),
  '/residentwx': () => import('./wechat-page.tsx'),
  '/customer/usermanage/merge': () => import('./resident-merge.tsx'),
}
