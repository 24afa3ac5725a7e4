import { screenAction } from '#kit/web/screen-action.ts'
import type { Action } from '#kit/web/action.tsx'
import { buildingScreens } from '#modules/estates/module.ts'
import { paths as feePaths } from '#modules/fees/module.ts'
import { cashierAddress, paths as paymentPaths } from '#modules/payments/module.ts'
import { paths as residentPaths } from '#modules/residents/module.ts'
import { paths as orderPaths } from '#modules/work-orders/module.ts'
import type { Room } from '../contract/room.ts'
import { paths as modulePaths } from '../module.ts'

/** The addresses of this module's screens, and of screens of other modules that they link to. */
export const paths = {
  ...modulePaths,
  addBuilding: buildingScreens.paths.add,
  roomFeeStandards: feePaths.roomStandards,
  shopFeeStandards: feePaths.shopStandards,
  residencies: residentPaths.links,
  cashier: paymentPaths.cashier,
  registerOrder: orderPaths.register,
  bindStandards: feePaths.bind,
} as const

/** The board of rooms at a room. */
export const roomBoardPath = ({ id, buildCode }: Pick<Room, 'id' | 'buildCode'>): string =>
  `${paths.board}?building=${buildCode}&room=${id}`

/** The people of the room, where it changes its owner and people move out. */
export const roomMovesAction = ({ id }: Pick<Room, 'id'>): Action | false =>
  screenAction(paths.residencies, { roomId: id }, '过户与迁出')

/** 房屋, as the cashier's address names the type of an object: the fees, who know it, know the rooms. */
const roomSourceType = 10

/** The cashier with the bills of a room. */
export const cashierPathOf = (code: string | undefined, projectCode?: string): string =>
  cashierAddress(roomSourceType, code, projectCode)
