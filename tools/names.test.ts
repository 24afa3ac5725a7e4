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
  run_told: 'a column of reconcile_item',
}

/** Folders that still hold old words: the list may only shrink. */
const notYetClean: readonly string[] = ['modules/bills/', 'modules/fee-reports/', 'modules/fees/']

const isClean = (file: string): boolean => !notYetClean.some(folder => file.startsWith(folder))
const cleanFiles = sourceFiles.filter(isClean)

const wordsOf = (name: string): string[] =>
  name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map(word => word.toLowerCase())
    .filter(word => word !== '')

const refusedIn = (name: string, refused: ReadonlySet<string>): string[] =>
  name in exceptions ? [] : wordsOf(name).filter(word => refused.has(word))

const identifierPattern = /(?<![\w$])[A-Za-z_$][\w$]*/g

/** The code of a file without comments and texts, every position kept. */
function codeOnly(file: string): { readonly code: string; readonly comments: readonly Comment[] } {
  const text = readSource(file)
  const { comments } = parseSync(file, text)
  let code = text
  for (const { start, end } of comments) {
    code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end)
  }
  const withoutTexts = code.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, t => ' '.repeat(t.length))
  return { code: withoutTexts, comments }
}

type Comment = ReturnType<typeof parseSync>['comments'][number]

it('no identifier is made of a word that docs/naming.md refuses', () => {
  const found = cleanFiles.flatMap(file => {
    const { code } = codeOnly(file)
    return [...code.matchAll(identifierPattern)].flatMap(match =>
      refusedIn(match[0], refusedInNames).map(
        word => `${file}:${lineAt(code, match.index)} ${match[0]} (${word})`,
      ),
    )
  })
  expect(found).toEqual([])
})

it('no file name is made of a word that docs/naming.md refuses', () => {
  expect(cleanFiles.filter(file => refusedIn(file, refusedInNames).length)).toEqual([])
})

it('no comment and no test title says a refused word', () => {
  const found = cleanFiles.flatMap(file => {
    const text = readSource(file)
    const titles = [...text.matchAll(/^\s*(?:it|test|describe)\(\s*(['"`])(.*?)\1/gm)]
    return [
      ...codeOnly(file).comments.map(c => ({ at: c.start, words: c.value })),
      ...titles.map(t => ({ at: t.index, words: t[2]! })),
    ].flatMap(({ at, words }) =>
      refusedIn(words, refusedInText).map(word => `${file}:${lineAt(text, at)} ${word}`),
    )
  })
  expect(found).toEqual([])
})

it('the list of folders that are not yet clean names only folders that hold old words', () => {
  const clean = notYetClean.filter(folder => {
    const files = sourceFiles.filter(file => file.startsWith(folder))
    return files.every(file => {
      const { code, comments } = codeOnly(file)
      const names = [file, ...(code.match(identifierPattern) ?? [])]
      return (
        names.every(name => !refusedIn(name, refusedInNames).length) &&
        comments.every(c => !refusedIn(c.value, refusedInText).length)
      )
    })
  })
  expect(clean, 'clean by now: take these out of the list').toEqual([])
})
