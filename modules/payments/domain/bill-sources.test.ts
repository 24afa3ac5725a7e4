import { expect, it } from 'vitest'
import { describeSources } from './bill-sources.ts'

it('names one object or two, and of three or more the first with how many there are', () => {
  expect(describeSources([])).toBe('')
  expect(describeSources(['1栋101'])).toBe('1栋101')
  expect(describeSources(['1栋101', '1栋102'])).toBe('1栋101、1栋102')
  expect(describeSources(['1栋101', '1栋102', '1栋103'])).toBe('1栋101 等 3 个')
})

it('counts an object with several bills once', () => {
  expect(describeSources(['1栋101', '1栋102', '1栋101'])).toBe('1栋101、1栋102')
  expect(describeSources(['1栋101', '1栋102', '1栋101', '车位 8'])).toBe('1栋101 等 3 个')
})

it('fits the column, however long the names are', () => {
  expect(describeSources(['长'.repeat(80), '名'.repeat(80)])).toHaveLength(100)
})
