import { cashierPath } from '../contract/cashier-address.ts'
import { paths as modulePaths } from '../module.ts'

const basePath = modulePaths.charges

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  ...modulePaths,
  /** Of the payments. */
  cashier: cashierPath,
  payments: `${basePath}/paidbills`,
  endings: `${basePath}/endingcredits`,
  /** Of the fees. */
  feeSetting: `${basePath}/cashsetting`,
  feeRelations: `${basePath}/cashsetting/relevance`,
  feeStandard: `${basePath}/cashsetting/standarddetail`,
  /** Of the objects that are charged. */
  places: '/service/data/parklots/carportlist',
  publicAreas: '/service/data/PublicAreaManage',
  companies: '/customer/companyManage',
  rooms: '/service/data/roommange',
  /** Of the meters. */
  readings: '/intelligentMeter/checkmeter',
} as const
