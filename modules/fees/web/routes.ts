import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.setting]: () => import('./setting.tsx'),
  [paths.relations]: () => import('./relations.tsx').then(m => ({ default: m.RelationsPage })),
  [paths.bind]: () => import('./bind.tsx'),
  [paths.addItem]: () => import('./item-form.tsx').then(m => ({ default: m.AddItemPage })),
  [paths.editItem]: () => import('./item-form.tsx').then(m => ({ default: m.EditItemPage })),
  [paths.addFormula]: () => import('./formula-form.tsx').then(m => ({ default: m.AddFormulaPage })),
  [paths.editFormula]: () => import('./formula-form.tsx').then(m => ({ default: m.EditFormulaPage })),
  [paths.addStandard]: () => import('./standard-form.tsx').then(m => ({ default: m.AddStandardPage })),
  [paths.editStandard]: () => import('./standard-form.tsx').then(m => ({ default: m.EditStandardPage })),
  [paths.standard]: () => import('./standard-detail.tsx'),
  [paths.roomStandards]: () => import('./object-standards.tsx').then(m => ({ default: m.RoomStandardsPage })),
  [paths.shopStandards]: () => import('./object-standards.tsx').then(m => ({ default: m.ShopStandardsPage })),
  [paths.placeStandards]: () =>
    import('./object-standards.tsx').then(m => ({ default: m.PlaceStandardsPage })),
  [paths.areaStandards]: () => import('./object-standards.tsx').then(m => ({ default: m.AreaStandardsPage })),
}
