import { expect, it } from 'vitest'
import { countTypedYuan, readTypedYuan, tidyTypedAmount } from './typed-amount.ts'

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

it('counts nothing of what is no amount or less than nothing', () => {
  expect(['100.5', '-5', '一百', ''].map(countTypedYuan)).toEqual([10_050, 0, 0, 0])
})

it('shows what was typed with thousands and two decimals, and leaves what is no amount', () => {
  expect(['１２３４。5', '2843.47', '7', '12.345', ''].map(tidyTypedAmount)).toEqual([
    '1,234.50',
    '2,843.47',
    '7.00',
    '12.345',
    '',
  ])
})
