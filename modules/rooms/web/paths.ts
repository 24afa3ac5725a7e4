import { screenAction } from '#kit/web/screen-action.ts'
import type { Action } from '#kit/web/action.tsx'
import type { Room } from '../contract/room.ts'
import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  ...modulePaths,
  /** Of the estates. */
  addBuilding: '/service/data/buildlist/addbuilds',
  /** Of the fees. */
  roomFeeStandards: '/service/data/roommange/addroomfeescale',
  shopFeeStandards: '/service/data/roommangeshop/addshopfeescale',
  /** Of the residents. */
  residencies: '/customer/usermanage/residency',
  /** Of the payments. */
  cashier: '/finance/chargemanage/cashier',
  /** Of the work orders. */
  registerOrder: '/quality/workOrderManagement/register',
} as const

/** The board of rooms at a room. */
export const roomBoardPath = ({ id, buildCode }: Pick<Room, 'id' | 'buildCode'>): string =>
  `${paths.board}?building=${buildCode}&room=${id}`

/** The people of the room, where it changes its owner and people move out. */
export const roomMovesAction = ({ id }: Pick<Room, 'id'>): Action | false =>
  screenAction(paths.residencies, { roomId: id }, '过户与迁出')

/** 房屋, as the counter's address names the type of an object. */
const roomSourceType = 10

/** The counter with the bills of a room. */
export const cashierPathOf = (code: string | undefined, projectCode?: string): string =>
  `${paths.cashier}?type=${roomSourceType}&code=${encodeURIComponent(code ?? '')}${projectCode ? `&project=${encodeURIComponent(projectCode)}` : ''}`
