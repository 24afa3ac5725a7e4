import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { chartUnitOf, formatInUnit } from './chart-unit.ts'

const fen = (...amounts: readonly number[]) => amounts.map(asFen)

it('a small company sees its months in yuan, a large one in ten thousands', () => {
  expect(chartUnitOf(fen(0, 25_425))).toBe('元')
  expect(chartUnitOf(fen(25_425, 1_000_000))).toBe('万元')
  expect(chartUnitOf(fen(-1_200_000))).toBe('万元')
})

it.each([
  [25_425, '元', '254'],
  [-25_425, '元', '−254'],
  [-20, '元', '0'],
  [1_234_567, '万元', '1.2'],
  [-1_234_567, '万元', '−1.2'],
] as const)('%i fen in %s is %s', (amount, unit, text) => {
  expect(formatInUnit(asFen(amount), unit)).toBe(text)
})
