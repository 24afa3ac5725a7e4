import type { Room } from '../contract/room.ts'

/** The board of rooms at a room. */
export const roomBoardPath = ({ id, buildCode }: Pick<Room, 'id' | 'buildCode'>): string =>
  `/service/data/roomboard?building=${buildCode}&room=${id}`
