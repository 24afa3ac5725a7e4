import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/customer/usermanage': () => import('./list.tsx'),
  '/customer/usermanage/adduser': () => import('./form.tsx').then(m => ({ default: m.AddResidentPage })),
  '/customer/usermanage/edituser': () => import('./form.tsx').then(m => ({ default: m.EditResidentPage })),
  '/customer/usermanage/userdetail': () => import('./detail.tsx'),
  '/customer/usermanage/immigration': () => import('./move-in.tsx'),
  '/customer/usermanage/residency': () => import('./homes.tsx').then(m => ({ default: m.LinksPage })),
  '/customer/usermanage/movements': () => import('./movements.tsx').then(m => ({ default: m.MovementsPage })),
  '/customer/usermanage/blocklist': () => import('./blocks.tsx'),
  '/customer/usermanage/cards': () => import('./cards.tsx').then(m => ({ default: m.CardsPage })),
  '/customer/usermanage/faces': () => import('./cards.tsx').then(m => ({ default: m.FacesPage })),
  '/baseuserlist': () => import('./base.tsx').then(m => ({ default: m.BaseUsersPage })),
  '/addbaseuser': () => import('./base.tsx').then(m => ({ default: m.AddBaseUserPage })),
  '/baseuserdetail': () => import('./detail.tsx'),
  '/residentwx': () => import('./wechat-page.tsx'),
  '/customer/usermanage/merge': () => import('./merge.tsx'),
}
