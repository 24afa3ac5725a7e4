import { paths as feePaths } from '#modules/fees/module.ts'

/** The addresses of other modules' screens that this one links to. */
export const paths = {
  placeFeeStandards: feePaths.placeStandards,
} as const
