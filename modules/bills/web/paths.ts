import { cashierPath } from '../contract/cashier-address.ts'

const basePath = '/finance/chargemanage'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  bills: `${basePath}/chargeList`,
  generate: `${basePath}/chargeList/generate`,
  unpaid: `${basePath}/unpaidbills`,
  notices: `${basePath}/demandmoney`,
  debtors: `${basePath}/debtors`,
  followUps: `${basePath}/followups`,
  pools: `${basePath}/sharepools`,
  redundant: `${basePath}/redundantbills`,
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
