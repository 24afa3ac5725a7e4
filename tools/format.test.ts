import { expect, it } from 'vitest'
import { childrenOf, lineAt, parsed, sourceFiles } from './source.ts'
import { textOf } from './tree.ts'

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file)
const linesOf = (file: string): string[] => textOf(file).split('\n')
const count = (file: string): number => linesOf(file).length - 1

/** The formatter breaks all but texts, templates and patterns: a longer line must hold one. */
const width = 110
const textNodes = new Set(['Literal', 'TemplateElement', 'JSXText'])

it('no line is longer than the formatter can make it', () => {
  const long = sourceFiles.flatMap(file => {
    const tooLong = linesOf(file).flatMap((line, i) => (line.length > width ? [i + 1] : []))
    if (!tooLong.length) return []
    const text = textOf(file)
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
const refuses = /^(refuse|need|wrong|no|fail|outside)\(/

it('what follows an `if` or a loop is a block, unless it leaves the function or the loop', () => {
  const squeezed = sourceFiles.flatMap(file => {
    const text = textOf(file)
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
  'bench/bills.bench.ts': 336,
  'db/golden/demo.ts': 617,
  'db/golden/fees.ts': 388,
  'db/golden/history.ts': 412,
  'db/golden/payments.ts': 355,
  'db/golden/people.ts': 672,
  'kit/contract/wire.ts': 487,
  'kit/server/db.ts': 428,
  'kit/server/ground/cluster.ts': 325,
  'kit/server/ground/probe.ts': 467,
  'kit/server/handle.ts': 348,
  'kit/server/http.ts': 302,
  'kit/server/import-job.ts': 490,
  'kit/server/jobs.ts': 528,
  'kit/server/table.ts': 578,
  'kit/web/gallery/fake.ts': 323,
  'kit/web/pickers/tree-picker.tsx': 303,
  'kit/web/shell/palette-dialog.tsx': 303,
  'kit/web/table/data-table.tsx': 435,
  'kit/web/transfer/import-dialog.tsx': 355,
  'modules/accounts/server/manager.ts': 332,
  'modules/accounts/web/print.tsx': 355,
  'modules/bills/contract/actions.ts': 324,
  'modules/bills/contract/list.ts': 356,
  'modules/bills/server/change.ts': 373,
  'modules/bills/server/import.ts': 419,
  'modules/bills/server/ledger.ts': 320,
  'modules/bills/server/letters.ts': 319,
  'modules/bills/server/notice.ts': 355,
  'modules/bills/server/pool.ts': 404,
  'modules/bills/server/reprice.ts': 439,
  'modules/bills/server/run-work.ts': 327,
  'modules/bills/server/temporary.ts': 307,
  'modules/bills/server/urge.ts': 337,
  'modules/bills/server/verbs.ground.ts': 486,
  'modules/bills/web/deeds.tsx': 343,
  'modules/bills/web/dialogs.tsx': 379,
  'modules/bills/web/generate-preview.tsx': 491,
  'modules/bills/web/list.tsx': 317,
  'modules/bills/web/pools.tsx': 301,
  'modules/bills/web/reprice.tsx': 351,
  'modules/companies/contract/company.ts': 306,
  'modules/companies/server/import.ts': 328,
  'modules/companies/web/move-out.tsx': 317,
  'modules/fees/contract/bind.ts': 302,
  'modules/fees/contract/standard.ts': 363,
  'modules/fees/domain/define.ts': 313,
  'modules/fees/server/bind.ts': 375,
  'modules/fees/server/import.ts': 354,
  'modules/fees/server/relation.ts': 383,
  'modules/invoices/server/open.ts': 424,
  'modules/invoices/server/set.ts': 331,
  'modules/invoices/web/setting.tsx': 313,
  'modules/meters/contract/reading.ts': 330,
  'modules/meters/server/book.ts': 555,
  'modules/meters/server/device.ts': 427,
  'modules/meters/server/grid.ts': 302,
  'modules/meters/server/waiting.ts': 399,
  'modules/meters/web/check.tsx': 429,
  'modules/meters/web/entering.ts': 339,
  'modules/meters/web/phone-entry.tsx': 336,
  'modules/parking/server/import.ts': 303,
  'modules/payments/server/desk.ts': 452,
  'modules/payments/server/order-confirm.ts': 505,
  'modules/payments/server/refund.ts': 478,
  'modules/payments/server/settle.ts': 382,
  'modules/payments/server/simulator/bill.ts': 369,
  'modules/payments/server/simulator/open.ts': 333,
  'modules/payments/web/cashier-pay.tsx': 568,
  'modules/payments/web/pay-dialog.tsx': 437,
  'modules/prestore/contract/account.ts': 371,
  'modules/prestore/server/account.ts': 316,
  'modules/prestore/web/account-dialogs.tsx': 340,
  'modules/reconcile/server/compare.ts': 417,
  'modules/residents/server/import-write.ts': 342,
  'modules/residents/server/list.ts': 381,
  'modules/residents/server/move.ts': 433,
  'modules/residents/server/residency.ts': 324,
  'modules/residents/web/homes.tsx': 312,
  'modules/rooms/contract/room.ts': 305,
  'modules/rooms/server/import.ts': 558,
  'modules/staff/server/staff.ts': 324,
}

it('a file is read in one sitting', () => {
  const long = sourceFiles.filter(file => !isTest(file) && count(file) > (stillLong[file] ?? longest))
  expect(long.map(file => `${file}: ${count(file)}`)).toEqual([])
  const shrunk = Object.keys(stillLong).filter(file => !sourceFiles.includes(file) || count(file) <= longest)
  expect(shrunk, 'no longer too long: take these out of the list').toEqual([])
})
