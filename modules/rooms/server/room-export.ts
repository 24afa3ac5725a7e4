import type { Id } from '#kit/domain/id.ts'
import type { Scope } from '#kit/server/scope.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { listRooms, room, roomFilters } from '../contract/room.ts'
import { exportRooms, exportShops, roomColumns } from '../contract/import-export.ts'
import { plainFilters, roomListFilters, type RoomListQuery } from './room-list.ts'

const exportQuery = (query: RoomListQuery, ownerId: Id) => ({
  q: plainFilters(query),
  find: { filters: roomFilters, where: roomListFilters(ownerId, query) },
})

/** Rows of public areas stay out: they have a list of their own. */
const roomsOnlyQuery = (query: RoomListQuery, { scope: { ownerId } }: { readonly scope: Scope }) =>
  exportQuery(query.sceneType === 'roomShopArea' ? { ...query, sceneType: 'roomShop' } : query, ownerId)

export const roomExport = exportHandlers<NonNullable<typeof listRooms.input.T>>({
  kind: 'rooms.room',
  name: '房间',
  calls: exportRooms,
  entity: room,
  columns: roomColumns,
  query: roomsOnlyQuery,
})

export const shopExport = exportHandlers<NonNullable<typeof listRooms.input.T>>({
  kind: 'rooms.shop',
  name: '商铺',
  calls: exportShops,
  entity: room,
  columns: roomColumns,
  query: (query, { scope }) => exportQuery({ ...query, sceneType: 'shop' }, scope.ownerId),
})
