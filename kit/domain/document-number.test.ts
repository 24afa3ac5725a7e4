import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { formatDocumentNumber, isDailyNumber, outerNumberOf, ownNumberOf } from './document-number.ts'

it('a number is its prefix, the day and six digits; the millionth of a day has seven (G-14)', () => {
  expect(formatDocumentNumber('ZD', '2026-01-09', 1)).toBe('ZD20260109000001')
  expect(formatDocumentNumber('TKD', '2026-11-23', 999_999)).toBe('TKD20261123999999')
  expect(formatDocumentNumber('TKD', '2026-11-23', 1_000_000)).toBe('TKD202611231000000')
})

it('numbers of the old form are distinguished from those of a day (G-14)', () => {
  expect(['FP20261123000001', 'FPH202611231000000-2', 'DD20261123000012'].map(isDailyNumber)).toEqual([
    true,
    true,
    true,
  ])
  expect(['FP100029', 'TKD100029', 'FP1000290-2', ''].map(isDailyNumber)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

it('two companies’ equal numbers differ outside, within what channels take, and come back as our own', () => {
  const number = formatDocumentNumber('TKD', '2026-11-23', 1_000_000)
  expect(outerNumberOf(number, asId(1))).not.toBe(outerNumberOf(number, asId(11)))
  expect(outerNumberOf(number, asId(9_999_999_999))).toMatch(/^[A-Za-z0-9_]{6,32}$/)
  expect(ownNumberOf(outerNumberOf(number, asId(11)), asId(11))).toBe(number)
  // Another company's, and one from before.
  expect(ownNumberOf(outerNumberOf(number, asId(11)), asId(1))).toBe(`${number}_11`)
  expect(ownNumberOf('DD20261101001234', asId(1))).toBe('DD20261101001234')
})
