import { expect, it } from 'vitest'
import { readMonthFilter } from './month-address.ts'

it('a link to a month names its people as well; what cannot be is left out', () => {
  const read = (text: string) => readMonthFilter(new URLSearchParams(text), '2026-11')
  expect(read('month=2026-09&groupId=3,x&departmentId=7&keyword=张&page=2&size=100')).toEqual({
    month: '2026-09',
    groupId: ['3'],
    departmentId: ['7'],
    keyword: '张',
    page: 2,
    size: 100,
  })
  expect(read('month=2026-13&page=-1&size=9999')).toEqual({
    month: '2026-11',
    groupId: undefined,
    departmentId: undefined,
    keyword: undefined,
    page: 1,
    size: 50,
  })
})
