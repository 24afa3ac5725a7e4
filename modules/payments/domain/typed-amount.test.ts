import { expect, it } from 'vitest'
import { readTypedYuan } from './typed-amount.ts'

it.each([
  ['100.5', 10_050],
  ['１００．５', 10_050],
  ['１，２３４．５０', 123_450],
  ['100。5', 10_050],
  ['￥２０', 2000],
  ['¥ 20', 2000],
  ['１２.345', undefined],
  ['一百', undefined],
])('%s', (text, fen) => {
  expect(readTypedYuan(text)).toBe(fen)
})
