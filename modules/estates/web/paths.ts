import { paths as feePaths } from '#modules/fees/module.ts'
import { paths as roomPaths } from '#modules/rooms/module.ts'

/** The addresses of other modules' screens that this one links to. */
export const paths = {
  roomBoard: roomPaths.board,
  areaFeeStandards: feePaths.areaStandards,
} as const
