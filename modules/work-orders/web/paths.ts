import { paths as accessPaths } from '#modules/access/module.ts'
import { paths as paymentPaths } from '#modules/payments/module.ts'
import { paths as roomPaths } from '#modules/rooms/module.ts'
import { paths as modulePaths } from '../module.ts'

export { cashierAddress } from '#modules/payments/module.ts'

/** The addresses of this module's screens, and of screens of other modules that they link to. */
export const paths = {
  ...modulePaths,
  room: roomPaths.room,
  ownDoorways: accessPaths.ownStaff,
  refunds: paymentPaths.refunds,
} as const
