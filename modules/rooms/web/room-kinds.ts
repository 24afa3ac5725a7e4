import type { Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import { exportRooms, exportShops } from '../contract/import-export.ts'
import { listRooms, getRoom, type ListedRoom, type Room } from '../contract/room.ts'
import { paths } from './paths.ts'

/** Rooms and shops are one record in two lists. */
export const roomKinds = {
  room: {
    itemName: '房间',
    scene: 'room',
    list: paths.rooms,
    add: paths.addRoom,
    edit: paths.editRoom,
    detail: paths.room,
    feeStandards: paths.roomFeeStandards,
    export: exportRooms,
  },
  shop: {
    itemName: '商铺',
    scene: 'shop',
    list: paths.shops,
    add: paths.addShop,
    edit: paths.editShop,
    detail: paths.shop,
    feeStandards: paths.shopFeeStandards,
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
