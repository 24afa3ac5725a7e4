import { expect, it } from 'vitest'
import { InvalidInput, readableValues } from './invalid-input.ts'

it('values that are half typed are left out, whatever holds them', () => {
  const halfTyped = new InvalidInput('25.', '格式不正确')
  const day = new Date(0)
  expect(
    readableValues({
      amount: halfTyped,
      lines: [{ price: halfTyped, name: '物业费' }],
      count: 0,
      day,
      none: null,
    }),
  ).toEqual({ lines: [{ name: '物业费' }], count: 0, day, none: null })
})
