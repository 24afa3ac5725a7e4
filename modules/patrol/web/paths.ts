import { paths as orderPaths } from '#modules/work-orders/module.ts'
import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = { ...modulePaths, workOrder: orderPaths.detail } as const
