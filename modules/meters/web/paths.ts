import { paths as billPaths } from '#modules/bills/module.ts'
import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  ...modulePaths,
  bills: billPaths.bills,
  generate: billPaths.generate,
} as const
