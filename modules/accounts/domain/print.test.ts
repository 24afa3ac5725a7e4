import { expect, it } from 'vitest'
import { docType } from '../contract/print.ts'
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
  expect(printFaults({ ...s, marginLeft: 25, marginRight: 20 })).toEqual({ marginLeft: '左右边距太大，纸宽 80 mm，至少要留 40 mm' })
  expect(printFaults({ ...s, marginLeft: 20, marginRight: 20 })).toEqual({})
  expect(printFaults({ ...settingOf('receipt'), marginTop: 30, marginBottom: 24 })).toEqual({ marginTop: '上下边距太大，纸高 93 mm，至少要留 40 mm' })
  expect(printFaults({ ...s, landscape: true })).toEqual({ landscape: '连续纸和热敏纸不能横向' })
  expect(printFaults({ ...s, copies: 1, copyNames: ['存根', '记账'] })).toEqual({ copyNames: '各联名称多于联数，最多 1 个' })
  expect(printFaults({ ...s, parts: ['lateFee'] })).toEqual({ parts: '有这种单据不包含的内容，请刷新后重选' })
})
it('names the copies', () => expect([0, 1, 2].map(n => copyName(n, ['存根', '缴费人']))).toEqual(['第一联 存根', '第二联 缴费人', '第三联']))
