import { expect, it } from 'vitest'
import { floorsWithin, formatFloors, parseFloors } from './floors.ts'

it('floors are typed as numbers and ranges; there is no floor 0 (ELV-1)', () => {
  expect(parseFloors('-2~1，3')).toEqual(['-2', '-1', '1', '3'])
  expect(parseFloors('3、1~2, 2')).toEqual(['1', '2', '3'])
  expect(parseFloors('1-3, -2--1')).toEqual(['-2', '-1', '1', '2', '3'])
  expect(parseFloors('-2-1')).toEqual(['-2', '-1', '1'])
  for (const text of ['', '0', '1~', '1-', '--1', '5~3', 'B1', '1~201', '-21', '1.5']) {
    expect(parseFloors(text), text).toBeUndefined()
  }
})

it('floors are shown as runs, over the ground too', () => {
  expect(formatFloors(['2', '1', '-1', '5', '7', '8'])).toBe('-1~2、5、7、8')
  expect(formatFloors([])).toBe('')
  expect(parseFloors(formatFloors(['-2', '-1', '1', '9']))).toEqual(['-2', '-1', '1', '9'])
})

it('floors that a lift does not have are left out', () => {
  expect(floorsWithin(['1', '2', '3'], ['3', '9', '1'])).toEqual(['1', '3'])
  expect(floorsWithin(['1'])).toEqual([])
})
