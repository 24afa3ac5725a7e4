const reportsPath = '/finance/reportCenter/financialManagement'

/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  home: '/finance/indexFinance',
  feeSummary: '/finance/chargemanage/feeSummary',
  charge: `${reportsPath}/charge`,
  chargeSummary: `${reportsPath}/chargesummary`,
  room: `${reportsPath}/room`,
  trade: `${reportsPath}/trade`,
  meter: `${reportsPath}/meter`,
  meterMonths: `${reportsPath}/metermonthsummary`,
  invoice: `${reportsPath}/invoice`,
  parking: `${reportsPath}/park`,
  prestore: `${reportsPath}/summaryofreserves`,
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
