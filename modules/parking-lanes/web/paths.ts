import { carScreens } from '#modules/parking/module.ts'

/** The addresses of other modules' screens that this one links to. */
export const paths = {
  car: carScreens.paths.detail,
} as const
