import { expect, it } from 'vitest'
import { keysOfRecord, mapRecord, omitKeys, pickPresent, recordFromKeys } from './records.ts'

it('keys of a record in their order, none of its prototype', () => {
  expect(keysOfRecord({ b: 1, a: 2 })).toEqual(['b', 'a'])
  expect(keysOfRecord(Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true } }))).toEqual([
    'own',
  ])
})

it('a record with a value for every key, in the order of the keys', () => {
  expect(Object.entries(recordFromKeys(['b', 'a'], key => key.toUpperCase()))).toEqual([
    ['b', 'B'],
    ['a', 'A'],
  ])
  expect(mapRecord({ b: 1, a: 2 }, (value, key) => `${key}${value}`)).toEqual({ b: 'b1', a: 'a2' })
})

it('some keys of a record in their own order, without those that have no value', () => {
  const row: { a: number; b?: string | undefined; c: boolean; d: null } = {
    a: 0,
    b: undefined,
    c: false,
    d: null,
  }
  expect(Object.entries(pickPresent(row, ['d', 'c', 'b', 'a']))).toEqual([
    ['c', false],
    ['a', 0],
  ])
})

it('a record without some of its keys; what has no value stays', () => {
  expect(omitKeys({ a: 1, b: undefined, c: 3 }, ['c'])).toStrictEqual({ a: 1, b: undefined })
})
