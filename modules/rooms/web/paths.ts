import { screenAction } from '#kit/web/screen-action.ts'
import type { Action } from '#kit/web/action.tsx'
import type { Room } from '../contract/room.ts'

/** The board of rooms at a room. */
export const roomBoardPath = ({ id, buildCode }: Pick<Room, 'id' | 'buildCode'>): string =>
  `/service/data/roomboard?building=${buildCode}&room=${id}`

/** The people of rooms: a screen of the module that keeps residents. */
export const residenciesPath = '/customer/usermanage/residency'

/** The people of the room, where it changes its owner and people move out. */
export const roomMovesAction = ({ id }: Pick<Room, 'id'>): Action | false =>
  screenAction(residenciesPath, { roomId: id }, '过户与迁出')
