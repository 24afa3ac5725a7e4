import { paths as accountPaths } from '#modules/accounts/module.ts'
import { paths as billPaths } from '#modules/bills/module.ts'
import { buildingScreens, estateScreens } from '#modules/estates/module.ts'
import { paths as feePaths } from '#modules/fees/module.ts'
import { paths as meterPaths } from '#modules/meters/module.ts'
import { placeScreens } from '#modules/parking/module.ts'
import { paths as paymentPaths } from '#modules/payments/module.ts'
import { paths as residentPaths } from '#modules/residents/module.ts'
import { paths as roomPaths } from '#modules/rooms/module.ts'

export { cashierAddress } from '#modules/payments/module.ts'

/** The addresses of other modules' screens that this one links to. */
export const paths = {
  company: accountPaths.company,
  managers: accountPaths.managers,
  addManager: accountPaths.addManager,
  roles: accountPaths.roles,
  printSetting: accountPaths.printSettings,
  estates: estateScreens.paths.list,
  buildings: buildingScreens.paths.list,
  rooms: roomPaths.rooms,
  residents: residentPaths.list,
  feeSetting: feePaths.setting,
  addStandard: feePaths.addStandard,
  feeRelations: feePaths.relations,
  bindStandards: feePaths.bind,
  bills: billPaths.bills,
  generate: billPaths.generate,
  debtors: billPaths.debtors,
  payments: paymentPaths.records,
  cashier: paymentPaths.cashier,
  parkPlaces: placeScreens.paths.list,
  readings: meterPaths.readings,
} as const
