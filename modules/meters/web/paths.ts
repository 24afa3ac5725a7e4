import { paths as billPaths } from '#modules/bills/module.ts'
import { paths as modulePaths } from '../module.ts'

/** The addresses of this module's screens, and of screens of other modules that they link to. */
export const paths = {
  ...modulePaths,
  bills: billPaths.bills,
  generate: billPaths.generate,
} as const
