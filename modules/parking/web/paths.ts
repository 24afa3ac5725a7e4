import { paths as feePaths } from '#modules/fees/module.ts'

/** Where the screens of other modules are that this one leads to. */
export const paths = {
  placeFeeStandards: feePaths.placeStandards,
} as const
