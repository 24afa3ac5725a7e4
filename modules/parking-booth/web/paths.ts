import { paths as lanePaths } from '#modules/parking-lanes/module.ts'

/** The addresses of other modules' screens that this one links to. */
export const paths = {
  stays: lanePaths.stays,
  charges: lanePaths.charges,
} as const
