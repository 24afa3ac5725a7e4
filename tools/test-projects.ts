/** Test files that share processes: none may leave anything behind (kit/server/fixtures/left-behind.ts). */
export const sharing: readonly string[] = ['modules/*/server/**/*.test.ts']

/**
 * Test files that read sources or compute, and wait for neither a clock nor another process: they run in the
 * background of the others, for as long as that takes.
 */
export const untimed: readonly string[] = [
  'tools/**/*.test.ts',
  '{kit,modules/*}/{contract,domain}/**/*.test.ts',
]

/** Of the kit's server, what needs no database and leaves nothing behind: part of the project `fast`. */
const pure = [
  'bulk-result',
  'call-runner',
  'data-folder',
  'encryption',
  'event',
  'file-storage',
  'file-type',
  'find-source',
  'formats',
  'http-response',
  'import-check',
  'loopback-address',
  'metrics-access',
  'open-files',
  'privacy',
  'process-state',
  'refusal',
  'sql-file',
  'statement',
  'storage-copy',
  'web-pages',
]

/**
 * They have a process each: those of the kit install modules of their own, others register what the product
 * does not have, end PostgreSQL, or count what a process holds.
 */
export const alone: readonly string[] = [
  'modules/access/server/on-passage.test.ts',
  'modules/accounts/server/company-export.test.ts',
  'modules/accounts/server/granting.test.ts',
  'modules/approvals/server/*.test.ts',
  'modules/bills/server/manual-bills.test.ts',
  'modules/bills/server/notice-reports.test.ts',
  'modules/companies/server/company.test.ts',
  'modules/devices/server/device-event.test.ts',
  'modules/devices/server/device-state.test.ts',
  'modules/devices/server/frames.test.ts',
  'modules/fees/server/definitions.test.ts',
  'modules/fees/server/relation.test.ts',
  'modules/parking-cameras/server/coupon-exit.test.ts',
  'modules/parking-lanes/server/stay-coupons.test.ts',
  'modules/parking-payments/server/parking-payments.test.ts',
  'modules/payments/server/database-restart.fault.test.ts',
  'modules/residents/server/move.test.ts',
  'modules/system/server/system.test.ts',
  'modules/system/server/work-queue.test.ts',
  'modules/work-orders/server/order-statistics.test.ts',
  `kit/server/**/!(${pure.join('|')}).test.ts`,
  'apps/server/**/*.test.ts',
  'db/**/*.test.ts',
  'tools/every-call.test.ts',
  'tools/schema.test.ts',
  'tools/*.db.test.ts',
]
