import { paths as orderPaths } from '#modules/work-orders/module.ts'
import { paths as modulePaths } from '../module.ts'

/** The addresses of this module's screens, and of screens of other modules that they link to. */
export const paths = { ...modulePaths, workOrder: orderPaths.detail } as const
