import { expect, it } from 'vitest'
import { docType } from '../contract/print.ts'
import { arranged, layoutOf, orderOf, stepped } from './print-layout.ts'
import { paged } from './print-pages.ts'
import { filled, printWords, wordFault, wordsOf } from './print-words.ts'
import { copyName, partsOf, printDefaults, printFaults, settingOf, sizeOf, type DocType } from './print.ts'

const all = Object.keys(docType.rows) as DocType[]

it('PRINT-1: paper as it lies', () => {
  expect(sizeOf({ paperSize: 'a5', landscape: true })).toEqual([210, 148])
  expect(sizeOf({ paperSize: 'third', landscape: true })).toEqual([241, 93])
  expect(sizeOf({ paperSize: 'roll', landscape: false })).toEqual([80, undefined])
})

it.each(all)('PRINT-2, PRINT-3: %s prints by its defaults', d => {
  expect(printFaults(settingOf(d))).toEqual({})
  expect(printDefaults[d].parts!.every(p => partsOf[d].includes(p))).toBe(true)
})

it('PRINT-3: refuses what leaves no room, lying rolls, names without a copy, and what the document does not know', () => {
  const s = settingOf('visitor')
  expect(printFaults({ ...s, marginLeft: 25, marginRight: 20 })).toEqual({
    marginLeft: '左右边距太大，纸宽 80 mm，至少要留 40 mm',
  })
  expect(printFaults({ ...s, marginLeft: 20, marginRight: 20 })).toEqual({})
  expect(printFaults({ ...settingOf('receipt'), marginTop: 30, marginBottom: 24 })).toEqual({
    marginTop: '上下边距太大，纸高 93 mm，至少要留 40 mm',
  })
  expect(printFaults({ ...s, landscape: true })).toEqual({ landscape: '连续纸和热敏纸不能横向' })
  expect(printFaults({ ...s, copies: 1, copyNames: ['存根', '记账'] })).toEqual({
    copyNames: '各联名称多于联数，最多 1 个',
  })
  expect(printFaults({ ...s, parts: ['lateFee'] })).toEqual({ parts: '有这种单据不包含的内容，请刷新后重选' })
})

it('names the copies', () =>
  expect([0, 1, 2].map(n => copyName(n, ['存根', '缴费人']))).toEqual([
    '第一联 存根',
    '第二联 缴费人',
    '第三联',
  ]))

it('PRINT-2: what has a part stands in the chosen order, what has none stays in its place', () => {
  expect(
    arranged(
      [{ part: 'item', n: 1 }, { n: 2 }, { part: 'amount', n: 3 }, { part: 'period', n: 4 }] as const,
      ['period', 'item'],
    ).map(x => x.n),
  ).toEqual([4, 2, 1])
  expect(stepped(['no', 'date', 'item', 'amount'], ['item', 'amount'], 'amount', -1)).toEqual([
    'no',
    'date',
    'amount',
    'item',
  ])
  expect(stepped(['no', 'date'], ['no', 'date'], 'no', -1)).toEqual(['no', 'date'])
  expect(orderOf('prestore', ['after', 'item']).filter(p => layoutOf.prestore.columns.includes(p))).toEqual([
    'after',
    'item',
    'amount',
    'gift',
  ])
})

it('PRINT-5: braces are filled with what is known and with nothing else', () => {
  expect(
    filled('{公司}收到 {缴费人} {金额} 元{对象}', { 公司: '甲物业', 缴费人: '张三', 金额: '1,200.00' }),
  ).toBe('甲物业收到 张三 1,200.00 元')
  expect(wordFault('receipt', '感谢 {缴费人}，{支付方式}已收 {金额} 元')).toBeUndefined()
  expect(wordFault('visitor', '你好 {缴费人}')).toMatch(/^第 4 个字的「\{缴费人\}」不能用在这种单据里/)
  expect([wordFault('receipt', '{公司{项目}'), wordFault('receipt', '}')]).toEqual([
    '第 1 个字「{」后面没有「}」',
    '第 1 个字「}」前面没有「{」',
  ])
})

it.each(all)('PRINT-5: %s names only words that a sheet can fill', d =>
  expect(wordsOf[d].every(w => printWords.includes(w))).toBe(true),
)

it('PRINT-6: rows that do not fit go on to the next page; the sums stand on the last', () => {
  const rows = Array.from({ length: 12 }, () => 6)
  expect(paged({ paper: 200, bare: 50, tail: 20, rows })).toEqual([[0, 12]])
  expect(paged({ paper: 93, bare: 50, tail: 20, rows })).toEqual([
    [0, 10],
    [10, 12],
  ])
  // All twelve fit without the sums: one is kept for the page of the sums.
  expect(paged({ paper: 110, bare: 50, tail: 20, rows })).toEqual([
    [0, 11],
    [11, 12],
  ])
  expect(paged({ paper: 93, bare: 50, tail: 20, rows: Array.from({ length: 36 }, () => 6) })).toEqual([
    [0, 10],
    [10, 20],
    [20, 30],
    [30, 36],
  ])
  expect(paged({ paper: 40, bare: 50, tail: 20, rows: [30, 30] })).toEqual([
    [0, 1],
    [1, 2],
  ])
  expect(paged({ paper: 40, bare: 50, tail: 20, rows: [] })).toEqual([[0, 0]])
})
