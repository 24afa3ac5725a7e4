import { paths as billPaths } from '#modules/bills/module.ts'
import { paths as invoicePaths } from '#modules/invoices/module.ts'
import { paths as meterPaths } from '#modules/meters/module.ts'
import { paths as paymentPaths } from '#modules/payments/module.ts'
import { paths as prestorePaths } from '#modules/prestore/module.ts'
import { paths as modulePaths } from '../module.ts'

/** The addresses of this module's screens, and of screens of other modules that they link to. */
export const paths = {
  ...modulePaths,
  bills: billPaths.bills,
  unpaid: billPaths.unpaid,
  gaps: billPaths.gaps,
  followUps: billPaths.followUps,
  trades: paymentPaths.trades,
  records: paymentPaths.records,
  prestoreAccounts: prestorePaths.accounts,
  prestoreRecords: prestorePaths.entries,
  prestoreOffsets: prestorePaths.offsets,
  invoices: invoicePaths.list,
  readings: meterPaths.records,
} as const
