/** Where the screens of other modules are that this one leads to. */
export const paths = {
  /** Of the accounts. */
  company: '/setting/baseSetting/companydetail',
  managers: '/setting/permission/managerlist',
  addManager: '/setting/permission/managerlist/addmanager',
  roles: '/setting/permission/rolelist',
  printSetting: '/setting/baseSetting/print',
  /** Of the estates and the rooms. */
  estates: '/service/data/statelist',
  buildings: '/service/data/buildlist',
  rooms: '/service/data/roommange',
  /** Of the residents. */
  residents: '/customer/usermanage',
  /** Of the fees. */
  feeSetting: '/finance/chargemanage/cashsetting',
  addStandard: '/finance/chargemanage/cashsetting/addstandard',
  feeRelations: '/finance/chargemanage/cashsetting/relevance',
  bindStandards: '/finance/chargemanage/cashsetting/batchbind',
  /** Of the bills and the payments. */
  bills: '/finance/chargemanage/chargeList',
  generate: '/finance/chargemanage/chargeList/generate',
  debtors: '/finance/chargemanage/debtors',
  payments: '/finance/chargemanage/paidbills',
  cashier: '/finance/chargemanage/cashier',
  /** Of the parking. */
  parkPlaces: '/service/data/parklots/carportlist',
  /** Of the meters. */
  readings: '/intelligentMeter/checkmeter',
} as const
