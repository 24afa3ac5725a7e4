import { paths as feePaths } from '#modules/fees/module.ts'
import { paths as roomPaths } from '#modules/rooms/module.ts'

/** Where the screens of other modules are that this one leads to. */
export const paths = {
  roomBoard: roomPaths.board,
  areaFeeStandards: feePaths.areaStandards,
} as const
