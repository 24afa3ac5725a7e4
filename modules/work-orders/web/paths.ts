import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  ...modulePaths,
  /** Of the rooms. */
  room: '/service/data/roommange/roomsDetailSee',
  /** Of the payments. */
  refunds: '/finance/chargemanage/backpaidbills',
} as const
