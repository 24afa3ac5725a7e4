import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {
  '/service/data/roommange': () => import('./room-list.tsx').then(m => ({ default: m.RoomsPage })),
  '/service/data/roommange/addrooms': () => import('./room-form.tsx').then(m => ({ default: m.AddRoomPage })),
  '/service/data/roommange/roomsDetail': () =>
    import('./room-form.tsx').then(m => ({ default: m.EditRoomPage })),
  '/service/data/roommange/roomsDetailSee': () =>
    import('./room-detail.tsx').then(m => ({ default: m.RoomDetailPage })),
  '/service/data/roommange/exportrooms': () =>
    import('./room-export.tsx').then(m => ({ default: m.ExportRoomsPage })),
  '/service/data/roommangeshop': () => import('./room-list.tsx').then(m => ({ default: m.ShopsPage })),
  '/service/data/roommangeshop/shopsDetailSee': () =>
    import('./room-detail.tsx').then(m => ({ default: m.ShopDetailPage })),
  '/service/data/roommangeshop/addshops': () =>
    import('./room-form.tsx').then(m => ({ default: m.AddShopPage })),
  '/service/data/roommangeshop/editshops': () =>
    import('./room-form.tsx').then(m => ({ default: m.EditShopPage })),
  '/service/data/roommangeshop/exportshop': () =>
    import('./room-export.tsx').then(m => ({ default: m.ExportShopsPage })),
  '/service/data/roomboard': () => import('./room-board.tsx'),
}
