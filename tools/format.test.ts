import { expect, it } from 'vitest'
import { childrenOf, lineAt, parsed, sourceFiles } from './syntax-tree.ts'
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
  'bench/bills.bench.ts': 342,
  'db/golden/demo.ts': 631,
  'db/golden/fees.ts': 398,
  'db/golden/invariants.ts': 324,
  'db/golden/payment-history.ts': 422,
  'db/golden/payments.ts': 370,
  'kit/server/fixtures/probe.ts': 476,
  'kit/server/http.ts': 324,
  'kit/server/postgres/cluster.ts': 339,
  'kit/server/sheet-import.ts': 513,
  'modules/bills/server/actions.fixtures.ts': 462,
  'modules/companies/web/move-out.tsx': 328,
  'modules/invoices/server/invoicing.ts': 474,
  'modules/invoices/server/setting.ts': 359,
  'modules/invoices/web/settings.tsx': 315,
  'modules/meters/server/report.ts': 304,
  'modules/parking/server/place-import.ts': 321,
  'modules/payments/server/simulator/bill-store.ts': 376,
  'modules/payments/server/simulator/gateway.ts': 342,
  'modules/staff/web/staff-picker.tsx': 305,
}

it('a file is read in one sitting', () => {
  const long = sourceFiles.filter(file => !isTest(file) && count(file) > (stillLong[file] ?? longest))
  expect(long.map(file => `${file}: ${count(file)}`)).toEqual([])
  const shrunk = Object.keys(stillLong).filter(file => !sourceFiles.includes(file) || count(file) <= longest)
  expect(shrunk, 'no longer too long: take these out of the list').toEqual([])
})
