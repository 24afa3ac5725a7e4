import { paths as accountPaths } from '#modules/accounts/module.ts'
import { menu as orderMenu, paths as orderPaths } from '#modules/work-orders/module.ts'
import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  ...modulePaths,
  personCentre: accountPaths.personCentre,
  orderNotifies: `${orderPaths.setting}?tab=notifies`,
} as const

/** The right to see whom the company notifies about work orders. */
export const orderNotifiesNeeds = orderMenu.notify.permissions.view
