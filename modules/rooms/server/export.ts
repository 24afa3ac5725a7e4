import { exportHandlers } from '#kit/server/sheets.ts'
import { listRooms, room, roomFilters } from '../contract/room.ts'
import { exportRooms, exportShops, roomColumns } from '../contract/transfer.ts'
import { plain, roomWhere, type Ask } from './list.ts'

const query = (q: Ask) => ({ q: plain(q), find: { filters: roomFilters, where: roomWhere(q) } })

/** Rows of public areas stay out: they have a list of their own. */
const rooms = (q: Ask) => query(q.sceneType === 'roomShopArea' ? { ...q, sceneType: 'roomShop' } : q)

export const roomExport = exportHandlers<NonNullable<typeof listRooms.input.T>>({
  kind: 'rooms.room',
  name: '房间',
  calls: exportRooms,
  entity: room,
  columns: roomColumns,
  query: rooms,
})

export const shopExport = exportHandlers<NonNullable<typeof listRooms.input.T>>({
  kind: 'rooms.shop',
  name: '商铺',
  calls: exportShops,
  entity: room,
  columns: roomColumns,
  query: q => query({ ...q, sceneType: 'shop' }),
})
