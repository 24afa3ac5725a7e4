import type { Call } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import { exportRooms, exportShops } from '../contract/transfer.ts'
import { listRooms, oneRoom, type ListedRoom, type Room } from '../contract/room.ts'

/** Rooms and shops are one record in two lists. */
export const kinds = {
  room: {
    what: '房间',
    scene: 'room',
    list: '/service/data/roommange',
    add: '/service/data/roommange/addrooms',
    edit: '/service/data/roommange/roomsDetail',
    see: '/service/data/roommange/roomsDetailSee',
    scale: '/service/data/roommange/addroomfeescale',
    export: exportRooms,
  },
  shop: {
    what: '商铺',
    scene: 'shop',
    list: '/service/data/roommangeshop',
    add: '/service/data/roommangeshop/addshops',
    edit: '/service/data/roommangeshop/editshops',
    see: '/service/data/roommangeshop/shopsDetailSee',
    scale: '/service/data/roommangeshop/addshopfeescale',
    export: exportShops,
  },
} as const

export type KindName = keyof typeof kinds
export const kindOf = (r: Pick<Room, 'roomType'>): KindName => (r.roomType === 'shop' ? 'shop' : 'room')

export type RoomAsk = NonNullable<typeof listRooms.input.T>
export type RoomRow = Room & Pick<ListedRoom, 'kind'>

/** With a scene of rooms or shops alone every row is a whole room. */
export const roomList = listRooms as unknown as Call<RoomAsk, Page<RoomRow>>
export const oneById = oneRoom as unknown as Call<{ readonly id: number }, Room>
