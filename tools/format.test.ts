import { expect, it } from 'vitest'
import { childrenOf, lineAt, parsed, sourceFiles } from './source.ts'
import { readSource } from './source-files.ts'

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file)
const linesOf = (file: string): string[] => readSource(file).split('\n')
const count = (file: string): number => linesOf(file).length - 1

/** The formatter breaks all but texts, templates and patterns: a longer line must hold one. */
const width = 110
const textNodes = new Set(['Literal', 'TemplateElement', 'JSXText'])

it('no line is longer than the formatter can make it', () => {
  const long = sourceFiles.flatMap(file => {
    const tooLong = linesOf(file).flatMap((line, i) => (line.length > width ? [i + 1] : []))
    if (!tooLong.length) return []
    const text = readSource(file)
    const withText = new Set<number>()
    for (const node of parsed(file)) {
      if (!textNodes.has(node.type)) continue
      for (let line = lineAt(text, node.start); line <= lineAt(text, node.end); line++) {
        withText.add(line)
      }
    }
    return tooLong.filter(line => !withText.has(line)).map(line => `${file}:${line}`)
  })
  expect(long).toEqual([])
})

const leaves = new Set([
  'BlockStatement',
  'ReturnStatement',
  'ThrowStatement',
  'ContinueStatement',
  'BreakStatement',
  'EmptyStatement',
])
const refuses = /^(refuse|fail|wrong)\(/

it('what follows an `if` or a loop is a block, unless it leaves the function or the loop', () => {
  const squeezed = sourceFiles.flatMap(file => {
    const text = readSource(file)
    return [...parsed(file)]
      .flatMap(node => childrenOf(node, ['consequent', 'body'], /^(If|For|While|DoWhile)\w*Statement$/))
      .filter(s => !leaves.has(s.type) && !refuses.test(text.slice(s.start, s.end)))
      .map(s => `${file}:${lineAt(text, s.start)}`)
  })
  expect(squeezed).toEqual([])
})

/** Files that are still longer than one sitting; each may only shrink, and none may join them. */
const longest = 300
const stillLong: Readonly<Record<string, number>> = {
  'bench/bills.bench.ts': 341,
  'db/golden/demo.ts': 631,
  'db/golden/fees.ts': 395,
  'db/golden/payment-history.ts': 422,
  'db/golden/payments.ts': 370,
  'db/golden/people.ts': 672,
  'kit/contract/sheet-reader.ts': 317,
  'kit/contract/wire.ts': 507,
  'kit/server/db.ts': 433,
  'kit/server/fixtures/probe.ts': 476,
  'kit/server/handler.ts': 382,
  'kit/server/http.ts': 328,
  'kit/server/jobs.ts': 545,
  'kit/server/postgres/cluster.ts': 339,
  'kit/server/sheet-import.ts': 512,
  'kit/server/table.ts': 591,
  'kit/web/gallery/fake-server.ts': 332,
  'kit/web/pickers/tree-picker.tsx': 309,
  'kit/web/pickers/tree-view.tsx': 317,
  'kit/web/shell/command-palette-dialog.tsx': 309,
  'kit/web/table/data-table.tsx': 453,
  'kit/web/transfer/import-dialog.tsx': 356,
  'modules/accounts/server/manager.ts': 341,
  'modules/accounts/web/print-settings.tsx': 368,
  'modules/bills/contract/actions.ts': 337,
  'modules/bills/contract/list.ts': 360,
  'modules/bills/server/actions.fixtures.ts': 502,
  'modules/bills/server/adjustment.ts': 392,
  'modules/bills/server/demand-letters.ts': 333,
  'modules/bills/server/filter-batches.ts': 308,
  'modules/bills/server/import.ts': 421,
  'modules/bills/server/ledger.ts': 330,
  'modules/bills/server/notice.ts': 366,
  'modules/bills/server/pool.ts': 427,
  'modules/bills/server/reminder.ts': 344,
  'modules/bills/server/reprice.ts': 447,
  'modules/bills/server/run-engine.ts': 334,
  'modules/bills/server/temporary.ts': 311,
  'modules/bills/web/action-dialogs.tsx': 389,
  'modules/bills/web/bill-actions.tsx': 371,
  'modules/bills/web/generate-preview.tsx': 499,
  'modules/bills/web/list.tsx': 321,
  'modules/bills/web/pools.tsx': 305,
  'modules/bills/web/reprice.tsx': 361,
  'modules/companies/contract/company.ts': 316,
  'modules/companies/server/company-import.ts': 339,
  'modules/companies/web/move-out.tsx': 323,
  'modules/fees/contract/relation-calls.ts': 324,
  'modules/fees/contract/standard.ts': 368,
  'modules/fees/domain/definition-rules.ts': 324,
  'modules/fees/domain/plan.ts': 313,
  'modules/fees/server/binding.ts': 387,
  'modules/fees/server/import.ts': 355,
  'modules/fees/server/relation.ts': 404,
  'modules/fees/server/standard.ts': 306,
  'modules/invoices/server/invoicing.ts': 459,
  'modules/invoices/server/setting.ts': 353,
  'modules/invoices/web/settings.tsx': 316,
  'modules/meters/contract/reading.ts': 330,
  'modules/meters/server/meter.ts': 443,
  'modules/meters/server/month-grid.ts': 309,
  'modules/meters/server/reading-book.ts': 558,
  'modules/meters/server/unbilled-readings.ts': 402,
  'modules/meters/web/grid-entry.ts': 355,
  'modules/meters/web/month-grid.tsx': 467,
  'modules/meters/web/phone-entry.tsx': 343,
  'modules/parking/server/place-import.ts': 318,
  'modules/payments/server/cashier.ts': 457,
  'modules/payments/server/order-confirmation.ts': 527,
  'modules/payments/server/refund.ts': 482,
  'modules/payments/server/settlement.ts': 389,
  'modules/payments/server/simulator/bill-store.ts': 375,
  'modules/payments/server/simulator/gateway.ts': 341,
  'modules/payments/web/cashier-payment.tsx': 575,
  'modules/payments/web/pay-dialog.tsx': 458,
  'modules/prestore/contract/account.ts': 371,
  'modules/prestore/server/account.ts': 321,
  'modules/prestore/web/account-dialogs.tsx': 349,
  'modules/reconcile/server/comparison.ts': 423,
  'modules/reconcile/server/reconciliation.ts': 319,
  'modules/residents/server/import-write.ts': 359,
  'modules/residents/server/move.ts': 474,
  'modules/residents/server/residency.ts': 346,
  'modules/residents/server/resident-list.ts': 403,
  'modules/residents/server/resident-merge.ts': 305,
  'modules/residents/web/residencies.tsx': 321,
  'modules/rooms/contract/room.ts': 318,
  'modules/rooms/server/room-import.ts': 578,
  'modules/staff/server/staff.ts': 340,
  'modules/staff/web/staff-picker.tsx': 304,
}

it('a file is read in one sitting', () => {
  const long = sourceFiles.filter(file => !isTest(file) && count(file) > (stillLong[file] ?? longest))
  expect(long.map(file => `${file}: ${count(file)}`)).toEqual([])
  const shrunk = Object.keys(stillLong).filter(file => !sourceFiles.includes(file) || count(file) <= longest)
  expect(shrunk, 'no longer too long: take these out of the list').toEqual([])
})
