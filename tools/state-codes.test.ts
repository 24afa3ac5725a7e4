import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'

const serverFiles = filesUnder('modules', /\/server\/.*\.ts$/)
  .concat(filesUnder('kit/server', /\.ts$/))
  .filter(file => !/\.test\.ts$|(^|[./])fixtures\.ts$|\/fixtures\/|\/simulator\//.test(file))

/** A column that holds the code of a choice, compared with or set to a bare number. */
const bareCode =
  /\b(?:\w+\.)?((?:\w+_)?(?:state|status|kind|type|mode|level|channel|method|source|reason|relation|category|edition|role))(?:::\w+)?\s*(?:=|<>|!=|in \(|not in \()\s*\d/g

/** Statements that still carry digits, by file; each number may only shrink. */
const stillBare: Readonly<Record<string, number>> = {
  'modules/accounts/server/account-notifications.ts': 1,
  'modules/accounts/server/caller.ts': 2,
  'modules/accounts/server/manager.ts': 1,
  'modules/accounts/server/setup-guide.ts': 1,
  'modules/accounts/server/sign-in.ts': 1,
  'modules/accounts/server/sms-code-handlers.ts': 4,
  'modules/bills/server/arrears.ts': 3,
  'modules/bills/server/bill-links.ts': 5,
  'modules/bills/server/bill-query.ts': 7,
  'modules/bills/server/charge-ending.ts': 1,
  'modules/bills/server/fee-target.ts': 1,
  'modules/bills/server/import.ts': 5,
  'modules/bills/server/last-bill.ts': 1,
  'modules/bills/server/late-fee-refresh.ts': 7,
  'modules/bills/server/list.ts': 6,
  'modules/bills/server/notice.ts': 13,
  'modules/bills/server/pool.ts': 2,
  'modules/bills/server/prepaid.ts': 2,
  'modules/bills/server/price-dependents.ts': 2,
  'modules/bills/server/recovery-facts.ts': 5,
  'modules/bills/server/redundant.ts': 2,
  'modules/bills/server/reissue.ts': 1,
  'modules/bills/server/reminder.ts': 3,
  'modules/bills/server/reprice-job.ts': 1,
  'modules/bills/server/reprice.ts': 4,
  'modules/bills/server/run-nightly.ts': 4,
  'modules/bills/server/run-plan.ts': 3,
  'modules/bills/server/run-preview.ts': 1,
  'modules/bills/server/run-readings.ts': 1,
  'modules/bills/server/run-scope.ts': 1,
  'modules/bills/server/run-undo.ts': 3,
  'modules/bills/server/run.ts': 3,
  'modules/bills/server/temporary.ts': 3,
  'modules/companies/server/company-import.ts': 1,
  'modules/companies/server/company-queries.ts': 1,
  'modules/companies/server/company-room.ts': 1,
  'modules/companies/server/company-worker.ts': 4,
  'modules/companies/server/company.ts': 1,
  'modules/companies/server/dependents.ts': 2,
  'modules/companies/server/join.ts': 4,
  'modules/companies/server/move-out.ts': 5,
  'modules/fees/server/chargeable-objects.ts': 2,
  'modules/fees/server/definitions.ts': 1,
  'modules/fees/server/dependents.ts': 6,
  'modules/fees/server/import.ts': 1,
  'modules/fees/server/item.ts': 2,
  'modules/fees/server/meter-relations.ts': 3,
  'modules/fees/server/relation-state.ts': 2,
  'modules/fees/server/relation.ts': 10,
  'modules/fees/server/standard.ts': 3,
  'modules/merchants/server/merchant-import.ts': 1,
  'modules/merchants/server/merchant.ts': 3,
  'modules/meters/server/active-plans.ts': 1,
  'modules/meters/server/dependents.ts': 5,
  'modules/meters/server/meter.ts': 7,
  'modules/meters/server/month-grid.ts': 11,
  'modules/meters/server/month-usage.ts': 2,
  'modules/meters/server/moving.ts': 5,
  'modules/meters/server/plan.ts': 3,
  'modules/meters/server/reading-book-storage.ts': 2,
  'modules/meters/server/reading-book.ts': 1,
  'modules/meters/server/reading.ts': 1,
  'modules/meters/server/replacement.ts': 3,
  'modules/meters/server/report.ts': 6,
  'modules/meters/server/smart.ts': 2,
  'modules/meters/server/unbilled-readings.ts': 9,
  'modules/payments/server/cashier.ts': 11,
  'modules/payments/server/day-close.ts': 6,
  'modules/payments/server/handover.ts': 4,
  'modules/payments/server/history.ts': 1,
  'modules/payments/server/order-confirmation.ts': 2,
  'modules/payments/server/order-entry.ts': 1,
  'modules/payments/server/order-jobs.ts': 1,
  'modules/payments/server/order-subjects.ts': 1,
  'modules/payments/server/other-income.ts': 1,
  'modules/payments/server/refund.ts': 4,
  'modules/payments/server/void.ts': 4,
  'modules/prestore/server/deduction.ts': 9,
  'modules/prestore/server/ledger.ts': 2,
  'modules/prestore/server/low-balance.ts': 1,
  'modules/prestore/server/online-top-up.ts': 1,
  'modules/prestore/server/receipt-lines.ts': 1,
  'modules/prestore/server/tender.ts': 2,
  'modules/prestore/server/transfer.ts': 1,
  'modules/products/server/call-seat.ts': 3,
  'modules/products/server/catalogue.ts': 1,
  'modules/products/server/expiry.ts': 8,
  'modules/products/server/order-payment.ts': 2,
  'modules/products/server/order.ts': 4,
  'modules/products/server/property-app.ts': 1,
  'modules/products/server/renewal.ts': 2,
  'modules/reconcile/server/channel-bill.ts': 4,
  'modules/reconcile/server/comparison.ts': 37,
  'modules/reconcile/server/reconciliation.ts': 2,
  'modules/staff/server/department.ts': 5,
  'modules/staff/server/staff-import.ts': 1,
  'modules/staff/server/staff.ts': 3,
}

it('statements name the codes of states, kinds and types instead of writing digits', () => {
  const counts = new Map<string, number>()
  for (const file of serverFiles) {
    const found = [...readSource(file).matchAll(bareCode)].length
    if (found) {
      counts.set(file, found)
    }
  }
  const grown = [...counts].filter(([file, found]) => found > (stillBare[file] ?? 0))
  expect(grown.map(([file, found]) => `${file}: ${found}`)).toEqual([])
  const mended = Object.keys(stillBare).filter(file => (counts.get(file) ?? 0) < stillBare[file]!)
  expect(mended, 'fewer than listed: lower these numbers').toEqual([])
})
