import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'

/** Words of the business: the kit is the framework and knows none of them. */
const businessWords = new Set(
  (
    'room rooms bill bills billing resident residents residency meter meters parking plate licence estate estates ' +
    'wechat weixin alipay tenant lease invoice invoices merchant merchants deposit deposits prestore tariff ' +
    'household payer cashier'
  ).split(' '),
)

/** Where a word of the list means something else, or is lent on purpose. */
const exceptions: readonly {
  readonly files: RegExp
  readonly words: readonly string[]
  readonly reason: string
}[] = [
  {
    files: /^kit\//,
    words: ['tenant'],
    reason: 'the company in whose data a query stays (multi-tenancy), not somebody who rents a room',
  },
  {
    files: /^kit\/server\/postgres\//,
    words: ['lease'],
    reason: 'the lock of a database directory that is held for a time',
  },
  {
    files: /^kit\/web\/(list\/|pickers\/tree-selection)|^kit\/web\/phone\/media-field/,
    words: ['room'],
    reason: 'the space that is left on the screen, not a room of a building',
  },
  {
    files: /^kit\/web\/(command-palette\.ts|shell\/(command-palette-dialog|palette-rows)\.tsx)$/,
    words: ['room'],
    reason: 'the groups of the command palette are still listed in the kit; modules should bring them',
  },
]

/** `payRoomNo` → pay, room, no. Only whole words of an identifier count. */
const wordsOf = (identifier: string): string[] =>
  identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** The code without comments and texts: examples may speak of rooms. */
const withoutTexts = (source: string): string =>
  source
    .replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''")

const isExempt = (file: string, word: string): boolean =>
  exceptions.some(e => e.files.test(file) && e.words.includes(word))

it('the kit uses no word of the business', () => {
  const files = filesUnder('kit', /\.tsx?$/).filter(
    file => !/\.(test|fixtures)\.tsx?$|\/fixtures\/|\/gallery\//.test(file),
  )
  const used = files.flatMap(file => {
    const identifiers = withoutTexts(readSource(file)).match(/[A-Za-z_$][\w$]*/g) ?? []
    const words = new Set([file, ...identifiers].flatMap(wordsOf))
    return [...words]
      .filter(word => businessWords.has(word) && !isExempt(file, word))
      .map(word => `${file}: ${word}`)
  })
  expect(used).toEqual([])
})
