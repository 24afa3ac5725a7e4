import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  ...modulePaths,
  /** Of the bills. */
  bills: '/finance/chargemanage/chargeList',
  unpaid: '/finance/chargemanage/unpaidbills',
  gaps: '/finance/chargemanage/gaps',
  followUps: '/finance/chargemanage/followups',
  /** Of the payments. */
  trades: '/finance/chargemanage/tradingcenter',
  records: '/finance/chargemanage/paidbills',
  /** Of the prepaid accounts. */
  prestoreAccounts: '/finance/reservemanagement/depositaccount',
  prestoreRecords: '/finance/reservemanagement/preservedrecords',
  prestoreOffsets: '/finance/reservemanagement/offsetrecord',
  /** Of the invoices and the meters. */
  invoices: '/finance/feebasesetting/invoiceList',
  readings: '/intelligentMeter/checkmeter/records',
} as const
