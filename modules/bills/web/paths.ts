import { companyScreens } from '#modules/companies/module.ts'
import { publicAreaScreens } from '#modules/estates/module.ts'
import { paths as feePaths } from '#modules/fees/module.ts'
import { paths as meterPaths } from '#modules/meters/module.ts'
import { carScreens, placeScreens } from '#modules/parking/module.ts'
import { paths as paymentPaths } from '#modules/payments/module.ts'
import { paths as roomPaths } from '#modules/rooms/module.ts'
import { paths as modulePaths } from '../module.ts'

export { cashierAddress } from '#modules/payments/module.ts'

/** The addresses of this module's screens, and of screens of other modules that they link to. */
export const paths = {
  ...modulePaths,
  cashier: paymentPaths.cashier,
  payments: paymentPaths.records,
  endings: paymentPaths.endingCredits,
  feeSetting: feePaths.setting,
  feeRelations: feePaths.relations,
  feeStandard: feePaths.standard,
  places: placeScreens.paths.list,
  cars: carScreens.paths.list,
  publicAreas: publicAreaScreens.paths.list,
  companies: companyScreens.paths.list,
  rooms: roomPaths.rooms,
  readings: meterPaths.readings,
} as const
