import { expect, it } from 'vitest'
import { withoutSeparators } from '#kit/domain/separators.ts'
import { decimal, money } from './field.ts'
import { kindBehaviour } from './value.ts'

it.each([
  ['1234.5', '1234.5'],
  ['1,234', '1234'],
  ['-1,234,567.89', '-1234567.89'],
  ['abc', 'abc'],
  ['1,00', undefined],
  ['1,0000', undefined],
  ['12,34', undefined],
  [',100', undefined],
  ['1,234.5,6', undefined],
  ['1,,234', undefined],
])('%s without separators', (text, plain) => {
  expect(withoutSeparators(text)).toBe(plain)
})

it.each([decimal('数量'), money('金额')])('a number with misplaced separators is refused: $label', field => {
  const read = (text: string): unknown => kindBehaviour[field.kind].parse(text, field)
  expect(() => read('1,00')).toThrow('千位分隔符')
  expect(() => read('1,234.50')).not.toThrow()
})
