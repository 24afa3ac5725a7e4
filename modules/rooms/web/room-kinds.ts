import type { Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import { exportRooms, exportShops } from '../contract/import-export.ts'
import { listRooms, getRoom, type ListedRoom, type Room } from '../contract/room.ts'

/** Rooms and shops are one record in two lists. */
export const roomKinds = {
  room: {
    itemName: '房间',
    scene: 'room',
    list: '/service/data/roommange',
    add: '/service/data/roommange/addrooms',
    edit: '/service/data/roommange/roomsDetail',
    detail: '/service/data/roommange/roomsDetailSee',
    scale: '/service/data/roommange/addroomfeescale',
    export: exportRooms,
  },
  shop: {
    itemName: '商铺',
    scene: 'shop',
    list: '/service/data/roommangeshop',
    add: '/service/data/roommangeshop/addshops',
    edit: '/service/data/roommangeshop/editshops',
    detail: '/service/data/roommangeshop/shopsDetailSee',
    scale: '/service/data/roommangeshop/addshopfeescale',
    export: exportShops,
  },
} as const

export type RoomKind = keyof typeof roomKinds
export const roomKindOf = (room: Pick<Room, 'roomType'>): RoomKind =>
  room.roomType === 'shop' ? 'shop' : 'room'

export type RoomListQuery = NonNullable<typeof listRooms.input.T>
export type RoomRow = Room & Pick<ListedRoom, 'kind'>

/** With a scene of rooms or shops alone every row is a whole room. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a scene of rooms or shops answers whole rooms
export const listRoomRows = listRooms as unknown as Call<RoomListQuery, Page<RoomRow>>
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by id alone
export const getRoomById = getRoom as unknown as Call<{ readonly id: Id }, Room>
