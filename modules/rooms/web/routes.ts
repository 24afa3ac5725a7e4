import type { Routes } from '#kit/web/routes.ts'
import { paths } from '../module.ts'

export const routes: Routes = {
  [paths.rooms]: () => import('./room-list.tsx').then(m => ({ default: m.RoomsPage })),
  [paths.addRoom]: () => import('./room-form.tsx').then(m => ({ default: m.AddRoomPage })),
  [paths.editRoom]: () => import('./room-form.tsx').then(m => ({ default: m.EditRoomPage })),
  [paths.room]: () => import('./room-detail.tsx').then(m => ({ default: m.RoomDetailPage })),
  [paths.exportRooms]: () => import('./room-export.tsx').then(m => ({ default: m.ExportRoomsPage })),
  [paths.shops]: () => import('./room-list.tsx').then(m => ({ default: m.ShopsPage })),
  [paths.shop]: () => import('./room-detail.tsx').then(m => ({ default: m.ShopDetailPage })),
  [paths.addShop]: () => import('./room-form.tsx').then(m => ({ default: m.AddShopPage })),
  [paths.editShop]: () => import('./room-form.tsx').then(m => ({ default: m.EditShopPage })),
  [paths.exportShops]: () => import('./room-export.tsx').then(m => ({ default: m.ExportShopsPage })),
  [paths.board]: () => import('./room-board.tsx'),
}
