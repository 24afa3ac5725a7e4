import { paths as productPaths } from '#modules/products/module.ts'
import { paths as modulePaths } from '../module.ts'

/** The addresses of this module's screens, and of screens of other modules that they link to. */
export const paths = {
  ...modulePaths,
  renew: productPaths.renew,
} as const
