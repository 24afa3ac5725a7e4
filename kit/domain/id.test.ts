import { expect, it } from 'vitest'
import { asId, parseId, type Id } from './id.ts'

it('takes whole numbers from 0 on as ids, and throws for all others', () => {
  expect([asId(0), asId(7), asId(Number.MAX_SAFE_INTEGER)]).toEqual([0, 7, Number.MAX_SAFE_INTEGER])
  for (const n of [-1, 1.5, NaN, Infinity, 2 ** 53]) {
    expect(() => asId(n)).toThrow('编号应为非负整数')
  }
})

it('reads what is no id as 0, which no record has', () => {
  expect(['12', ' 7 ', 9].map(parseId)).toEqual([12, 7, 9])
  for (const raw of ['', 'abc', '1.5', '-3', '9007199254740993', NaN, -1, null, undefined, true, [5], {}]) {
    expect(parseId(raw)).toBe(0)
  }
})

it('refuses plain numbers when it is compiled', () => {
  const count: number = 3
  // @ts-expect-error a number is not an id
  const id: Id = count
  // @ts-expect-error nor is a literal other than 0
  const constant: Id = 100
  const none: Id = 0
  expect([id, constant, none]).toEqual([3, 100, 0])
})
