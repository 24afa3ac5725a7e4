import { expect, it } from 'vitest'
import { keysOfRecord } from './records.ts'

it('keys of a record in their order, none of its prototype', () => {
  expect(keysOfRecord({ b: 1, a: 2 })).toEqual(['b', 'a'])
  expect(keysOfRecord(Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true } }))).toEqual([
    'own',
  ])
})
