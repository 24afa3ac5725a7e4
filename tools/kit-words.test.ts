import { expect, it } from 'vitest'
import { filesUnder } from './source-files.ts'
import { parsed } from './syntax-tree.ts'

/** Words of the business: the kit is the framework and knows none of them. */
const businessWords = new Set(
  (
    'room rooms bill bills billing resident residents residency meter meters parking plate licence estate estates ' +
    'wechat weixin alipay tenant lease invoice invoices merchant merchants deposit deposits prestore tariff ' +
    'household payer cashier'
  ).split(' '),
)

/** The same in the texts that people read. */
const businessTerms =
  /房|账单|住户|业主|车位|车牌|停车|发票|押金|预存|商户|租户|抄表|仪表|收银|小区|楼栋|缴费|收费|物业|微信|支付宝|欠费/g

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
    files: /^kit\/web\/(list\/|pickers\/tree-selection)|^kit\/web\/phone\/media-field/,
    words: ['room'],
    reason: 'the space that is left on the screen, not a room of a building',
  },
  {
    files: /^kit\/contract\/module\.ts$/,
    words: ['收费', '房'],
    reason: 'the sections of the menu, in their order: a manifest names one',
  },
  {
    files: /^kit\/server\/directory\.ts$/,
    words: ['resident', 'wechat'],
    reason: 'the kinds of what is looked up before a company is known, as they are stored',
  },
  {
    files: /^kit\/server\/openapi\/docs-script\.ts$/,
    words: ['room'],
    reason: 'examples of calls of this product on the page of its API',
  },
  {
    files: /^kit\/web\/shell\/project-switch\.tsx$/,
    words: ['estate'],
    reason: 'the entity whose changes bring the list of projects up to date',
  },
  {
    files: /^kit\/domain\/address\.ts$/,
    words: ['房'],
    reason: 'what people write behind a number in an address',
  },
]

/** `payRoomNo` → pay, room, no. Only whole words of an identifier count. */
const wordsOf = (identifier: string): string[] =>
  identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

const isExempt = (file: string, word: string): boolean =>
  exceptions.some(e => e.files.test(file) && e.words.includes(word))

const files = filesUnder('kit', /\.tsx?$/).filter(
  file =>
    !/\.(test|fixtures)\.tsx?$|\/fixtures(\/|\.ts$)|\/gallery\//.test(file) &&
    file !== 'kit/data/divisions-table.ts',
)

/** Names and texts of a file. Comments are not read: examples may speak of rooms. */
const namesAndTexts = (file: string): string[] =>
  parsed(file).flatMap(node => {
    if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
    if (node.type === 'TemplateElement') return [node.value.raw]
    if (node.type === 'JSXText') return [node.value]
    return 'name' in node && typeof node.name === 'string' ? [node.name] : []
  })

it('the kit uses no word of the business, in its names and in its texts', () => {
  const used = files.flatMap(file => {
    const all = [file, ...namesAndTexts(file)]
    const words = new Set([
      ...all.flatMap(wordsOf).filter(word => businessWords.has(word)),
      ...all.flatMap(text => text.match(businessTerms) ?? []),
    ])
    return [...words].filter(word => !isExempt(file, word)).map(word => `${file}: ${word}`)
  })
  expect(used).toEqual([])
})

it('every exception is still needed', () => {
  const unused = exceptions.flatMap(({ files: pattern, words }) => {
    const all = files.filter(file => pattern.test(file)).flatMap(file => [file, ...namesAndTexts(file)])
    const found = new Set([...all.flatMap(wordsOf), ...all.flatMap(text => text.match(businessTerms) ?? [])])
    return words.filter(word => !found.has(word)).map(word => `${pattern.source}: ${word}`)
  })
  expect(unused).toEqual([])
})
