import { paths as productPaths } from '#modules/products/module.ts'
import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  ...modulePaths,
  renew: productPaths.renew,
} as const
