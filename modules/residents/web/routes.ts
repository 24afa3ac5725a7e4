import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.list]: () => import('./resident-list.tsx'),
  [paths.add]: () => import('./resident-form.tsx').then(m => ({ default: m.AddResidentPage })),
  [paths.edit]: () => import('./resident-form.tsx').then(m => ({ default: m.EditResidentPage })),
  [paths.see]: () => import('./resident-detail.tsx'),
  [paths.moveIn]: () => import('./move-in.tsx'),
  [paths.links]: () => import('./residencies.tsx').then(m => ({ default: m.ResidenciesPage })),
  [paths.moves]: () => import('./residency-log.tsx').then(m => ({ default: m.ResidencyLogPage })),
  [paths.blocks]: () => import('./resident-blocks.tsx'),
  [paths.cards]: () => import('./identity-cards.tsx').then(m => ({ default: m.CardsPage })),
  [paths.doorwayCards]: () => import('./identity-cards.tsx').then(m => ({ default: m.CardsPage })),
  [paths.systemCards]: () => import('./identity-cards.tsx').then(m => ({ default: m.CardsPage })),
  [paths.faces]: () => import('./face-keys.tsx').then(m => ({ default: m.FacesPage })),
  [paths.faceEntry]: () => import('./face-entry.tsx'),
  [paths.people]: () => import('./base-users.tsx').then(m => ({ default: m.BaseUsersPage })),
  [paths.addPerson]: () => import('./base-users.tsx').then(m => ({ default: m.AddBaseUserPage })),
  [paths.seePerson]: () => import('./resident-detail.tsx'),
  [paths.wechatPage]: () => import('./wechat-page.tsx'),
  [paths.merge]: () => import('./resident-merge.tsx'),
}
