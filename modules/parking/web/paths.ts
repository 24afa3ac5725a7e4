import { paths as feePaths } from '#modules/fees/module.ts'
import { paths as monthCardPaths } from '#modules/month-cards/module.ts'

/** The addresses of other modules' screens that this one links to. */
export const paths = {
  placeFeeStandards: feePaths.placeStandards,
  renewal: monthCardPaths.renew,
  monthOrders: monthCardPaths.list,
} as const
