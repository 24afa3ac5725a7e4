import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/finance/chargemanage/cashsetting': () => import('./setting.tsx'),
  '/finance/chargemanage/cashsetting/relevance': () =>
    import('./relations.tsx').then(m => ({ default: m.RelationsPage })),
  '/finance/chargemanage/cashsetting/batchbind': () => import('./bind.tsx'),
  '/finance/chargemanage/cashsetting/addfeeitem': () =>
    import('./item-form.tsx').then(m => ({ default: m.AddItemPage })),
  '/finance/chargemanage/cashsetting/editfeeitem': () =>
    import('./item-form.tsx').then(m => ({ default: m.EditItemPage })),
  '/finance/chargemanage/cashsetting/addformula': () =>
    import('./formula-form.tsx').then(m => ({ default: m.AddFormulaPage })),
  '/finance/chargemanage/cashsetting/editformula': () =>
    import('./formula-form.tsx').then(m => ({ default: m.EditFormulaPage })),
  '/finance/chargemanage/cashsetting/addstandard': () =>
    import('./standard-form.tsx').then(m => ({ default: m.AddStandardPage })),
  '/finance/chargemanage/cashsetting/editstandard': () =>
    import('./standard-form.tsx').then(m => ({ default: m.EditStandardPage })),
  '/finance/chargemanage/cashsetting/standarddetail': () => import('./standard-detail.tsx'),
  '/service/data/roommange/addroomfeescale': () =>
    import('./object-standards.tsx').then(m => ({ default: m.RoomStandardsPage })),
  '/service/data/roommangeshop/addshopfeescale': () =>
    import('./object-standards.tsx').then(m => ({ default: m.ShopStandardsPage })),
  '/service/data/parklots/carportlist/addcarportfeescale': () =>
    import('./object-standards.tsx').then(m => ({ default: m.PlaceStandardsPage })),
  '/service/data/PublicAreaManage/addPublicFeescale': () =>
    import('./object-standards.tsx').then(m => ({ default: m.AreaStandardsPage })),
}
