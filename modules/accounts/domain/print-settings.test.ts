import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { docType } from '../contract/print-settings.ts'
import { arrangeByParts, layoutByDocType, orderParts, movePart } from './print-layout.ts'
import { paginateRows } from './print-pages.ts'
import {
  fillPlaceholders,
  printPlaceholders,
  findPlaceholderFault,
  placeholdersByDocType,
} from './print-placeholders.ts'
import {
  formatCopyName,
  partsByDocType,
  printDefaults,
  findPrintFaults,
  getDefaultPrintSetting,
  getPaperDimensions,
} from './print-settings.ts'
import { keysOf } from '#kit/contract/field.ts'

const docTypes = keysOf(docType)

it('PRINT-1: paper orientation', () => {
  expect(getPaperDimensions({ paperSize: 'a5', landscape: true })).toEqual([210, 148])
  expect(getPaperDimensions({ paperSize: 'third', landscape: true })).toEqual([241, 93])
  expect(getPaperDimensions({ paperSize: 'roll', landscape: false })).toEqual([80, undefined])
})

it.each(docTypes)('PRINT-2, PRINT-3: %s prints by its defaults', d => {
  expect(findPrintFaults(getDefaultPrintSetting(d))).toEqual({})
  expect(defined(printDefaults[d].parts).every(p => partsByDocType[d].includes(p))).toBe(true)
})

it('PRINT-3: refuses what leaves no room, lying rolls, names without a copy, and what the document does not know', () => {
  const s = getDefaultPrintSetting('visitor')
  expect(findPrintFaults({ ...s, marginLeft: 25, marginRight: 20 })).toEqual({
    marginLeft: '左右边距太大，纸宽 80 mm，至少要留 40 mm',
  })
  expect(findPrintFaults({ ...s, marginLeft: 20, marginRight: 20 })).toEqual({})
  expect(findPrintFaults({ ...getDefaultPrintSetting('receipt'), marginTop: 30, marginBottom: 24 })).toEqual({
    marginTop: '上下边距太大，纸高 93 mm，至少要留 40 mm',
  })
  expect(findPrintFaults({ ...s, landscape: true })).toEqual({ landscape: '连续纸和热敏纸不能横向' })
  expect(findPrintFaults({ ...s, copies: 1, copyNames: ['存根', '记账'] })).toEqual({
    copyNames: '各联名称多于联数，最多 1 个',
  })
  expect(findPrintFaults({ ...s, parts: ['lateFee'] })).toEqual({
    parts: '有这种单据不包含的内容，请刷新后重选',
  })
})

it('names the copies', () =>
  expect([0, 1, 2].map(n => formatCopyName(n, ['存根', '缴费人']))).toEqual([
    '第一联 存根',
    '第二联 缴费人',
    '第三联',
  ]))

it('PRINT-2: what has a part is in the chosen order, what has none stays in its place', () => {
  expect(
    arrangeByParts(
      [{ part: 'item', n: 1 }, { n: 2 }, { part: 'amount', n: 3 }, { part: 'period', n: 4 }] as const,
      ['period', 'item'],
    ).map(x => x.n),
  ).toEqual([4, 2, 1])
  expect(movePart(['no', 'date', 'item', 'amount'], ['item', 'amount'], 'amount', -1)).toEqual([
    'no',
    'date',
    'amount',
    'item',
  ])
  expect(movePart(['no', 'date'], ['no', 'date'], 'no', -1)).toEqual(['no', 'date'])
  expect(
    orderParts('prestore', ['after', 'item']).filter(p => layoutByDocType.prestore.columns.includes(p)),
  ).toEqual(['after', 'item', 'amount', 'gift'])
})

it('PRINT-5: braces are filled with what is known and with nothing else', () => {
  expect(
    fillPlaceholders('{公司}收到 {缴费人} {金额} 元{对象}', {
      公司: '甲物业',
      缴费人: '张三',
      金额: '1,200.00',
    }),
  ).toBe('甲物业收到 张三 1,200.00 元')
  expect(findPlaceholderFault('receipt', '感谢 {缴费人}，{支付方式}已收 {金额} 元')).toBeUndefined()
  expect(findPlaceholderFault('visitor', '你好 {缴费人}')).toMatch(
    /^第 4 个字的「\{缴费人\}」不能用在这种单据中/,
  )
  expect([findPlaceholderFault('receipt', '{公司{项目}'), findPlaceholderFault('receipt', '}')]).toEqual([
    '第 1 个字「{」后面没有「}」',
    '第 1 个字「}」前面没有「{」',
  ])
})

it.each(docTypes)('PRINT-5: %s names only words that a sheet can fill', d =>
  expect(placeholdersByDocType[d].every(w => printPlaceholders.includes(w))).toBe(true),
)

it('PRINT-6: rows that do not fit go on to the next page; the sums are on the last', () => {
  const rows = Array.from({ length: 12 }, () => 6)
  expect(paginateRows({ paper: 200, fixedHeight: 50, footerHeight: 20, rows })).toEqual([[0, 12]])
  expect(paginateRows({ paper: 93, fixedHeight: 50, footerHeight: 20, rows })).toEqual([
    [0, 10],
    [10, 12],
  ])
  // All twelve fit without the sums: the last stands with them.
  expect(paginateRows({ paper: 110, fixedHeight: 50, footerHeight: 20, rows })).toEqual([
    [0, 11],
    [11, 12],
  ])
  // Thirteen on a page that is full.
  expect(
    paginateRows({
      paper: 110,
      fixedHeight: 50,
      footerHeight: 20,
      rows: Array.from({ length: 24 }, () => 6),
    }),
  ).toEqual([
    [0, 13],
    [13, 23],
    [23, 24],
  ])
  expect(
    paginateRows({ paper: 93, fixedHeight: 50, footerHeight: 20, rows: Array.from({ length: 36 }, () => 6) }),
  ).toEqual([
    [0, 10],
    [10, 20],
    [20, 30],
    [30, 36],
  ])
  expect(paginateRows({ paper: 40, fixedHeight: 50, footerHeight: 20, rows: [30, 30] })).toEqual([
    [0, 1],
    [1, 2],
  ])
  expect(paginateRows({ paper: 40, fixedHeight: 50, footerHeight: 20, rows: [] })).toEqual([[0, 0]])
  // A subtotal takes the place of a row on every page of several, and none where there is one page.
  const withSubtotal = { fixedHeight: 50, footerHeight: 20, subtotalHeight: 6, rows }
  expect(paginateRows({ ...withSubtotal, paper: 122 })).toEqual([[0, 12]])
  expect(paginateRows({ ...withSubtotal, paper: 93 })).toEqual([
    [0, 9],
    [9, 12],
  ])
})
