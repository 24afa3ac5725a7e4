import { defined } from '#kit/domain/defined.ts'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { lineAt, sourceFiles } from './syntax-tree.ts'
import { readSource } from './source-files.ts'

/**
 * Words of the old private vocabulary, refused as whole words of identifiers and file names (`camelCase` and
 * `kebab-case` are taken apart). What to write instead: docs/naming.md.
 */
const refusedInNames: ReadonlySet<string> = new Set([
  'deed',
  'desk',
  'door',
  'gate',
  'greets',
  'laid',
  'lent',
  'lies',
  'manners',
  'may',
  'nameplate',
  'nought',
  'purse',
  'reckon',
  'said',
  'says',
  'sought',
  'strike',
  'told',
  'urge',
  'veil',
  'verb',
  'verbs',
  'wall',
])

/** The same in comments and test titles, where ordinary English may use some of them. */
const refusedInText: ReadonlySet<string> = new Set([
  'deed',
  'deeds',
  'lest',
  'nameplate',
  'nameplates',
  'nought',
  'purse',
  'reckon',
  'reckoned',
  'reckons',
  'veil',
])

/** Identifiers that may keep a refused word, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  urge: 'the code of the permission to remind of bills, and the last part of a route',
  urge_count: 'a column of bill',
  urgeCount: 'the column urge_count',
  urgeCountFrom: 'a filter on the column urge_count',
  urgeCountTo: 'a filter on the column urge_count',
  last_urge_time: 'a column of bill',
  lastUrgeTime: 'the column last_urge_time',
  run_told: 'a column of reconcile_item',
}

const wordsOf = (name: string): string[] =>
  name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map(word => word.toLowerCase())
    .filter(word => word !== '')

const refusedIn = (name: string, refused: ReadonlySet<string>): string[] =>
  name in exceptions ? [] : wordsOf(name).filter(word => refused.has(word))

const identifierPattern = /(?<![\w$])[A-Za-z_$][\w$]*/g

interface Code {
  readonly code: string
  readonly comments: readonly Comment[]
}

const codeByFile = new Map<string, Code>()

/** The code of a file without comments and texts, every position and line kept; read once. */
function codeOnly(file: string): Code {
  const known = codeByFile.get(file)
  if (known) return known
  const text = readSource(file)
  const { comments } = parseSync(file, text)
  let code = ''
  let copied = 0
  for (const { start, end } of comments) {
    code += text.slice(copied, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    copied = end
  }
  code += text.slice(copied)
  const withoutTexts = code.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, t => ' '.repeat(t.length))
  const found = { code: withoutTexts, comments }
  codeByFile.set(file, found)
  return found
}

type Comment = ReturnType<typeof parseSync>['comments'][number]

it('no identifier is made of a word that docs/naming.md refuses', () => {
  const found = sourceFiles.flatMap(file => {
    const { code } = codeOnly(file)
    return [...code.matchAll(identifierPattern)].flatMap(match =>
      refusedIn(match[0], refusedInNames).map(
        word => `${file}:${lineAt(code, match.index)} ${match[0]} (${word})`,
      ),
    )
  })
  expect(found).toEqual([])
}, 120_000)

it('no file name is made of a word that docs/naming.md refuses', () => {
  expect(sourceFiles.filter(file => refusedIn(file, refusedInNames).length)).toEqual([])
}, 120_000)

it('no comment and no test title says a refused word', () => {
  const found = sourceFiles.flatMap(file => {
    const text = readSource(file)
    const titles = [...text.matchAll(/^\s*(?:it|test|describe)\(\s*(['"`])(.*?)\1/gm)]
    return [
      ...codeOnly(file).comments.map(c => ({ at: c.start, words: c.value })),
      ...titles.map(t => ({ at: t.index, words: defined(t[2]) })),
    ].flatMap(({ at, words }) =>
      refusedIn(words, refusedInText).map(word => `${file}:${lineAt(text, at)} ${word}`),
    )
  })
  expect(found).toEqual([])
}, 120_000)

it('every exception is still used', () => {
  const used = new Set(
    sourceFiles.flatMap(file => [...codeOnly(file).code.matchAll(identifierPattern)].map(match => match[0])),
  )
  expect(Object.keys(exceptions).filter(name => !used.has(name))).toEqual([])
}, 120_000)
